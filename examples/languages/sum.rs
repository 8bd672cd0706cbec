// SPDX-License-Identifier: Apache-2.0
// Sums and running totals from Rust, through the C interface:
//     rustc sum.rs -L /usr/local/lib -l heddle && ./sum
use std::ffi::{c_char, c_void, CStr};

// hd_view, as heddle.h has it.
#[repr(C)]
#[derive(Clone, Copy)]
struct View {
    data: *mut c_void,
    kind: u32,
    ndim: i32,
    space: i16,
    device: i16,
    read_only: u32,
    shape: [i64; 8],
    stride: [i64; 8],
    scalar: [u64; 2],
}

const F64: u32 = 12; // HD_F64
const SUM: *const c_void = 1 as *const c_void; // HD_SUM: built-in operators are numbers

#[link(name = "heddle")]
extern "C" {
    fn hd_open(ctx: *mut *mut c_void, options: *const c_void) -> i32;
    fn hd_close(ctx: *mut c_void);
    fn hd_error(ctx: *const c_void) -> *const c_char;
    fn hd_reduce(ctx: *mut c_void, input: View, op: *const c_void, out: View,
                 options: *const c_void) -> i32;
    fn hd_scan(ctx: *mut c_void, input: View, op: *const c_void, out: View,
               options: *const c_void) -> i32;
}

// A view of a slice that a call only reads, and of one that it writes.
fn input(x: &[f64]) -> View {
    View { read_only: 1, ..view(x.as_ptr() as *mut c_void, x.len()) }
}

fn output(x: &mut [f64]) -> View {
    view(x.as_mut_ptr() as *mut c_void, x.len())
}

fn view(data: *mut c_void, n: usize) -> View {
    let mut v = View { data, kind: F64, ndim: 1, space: 0, device: 0, read_only: 0, shape: [0; 8],
                       stride: [0; 8], scalar: [0; 2] };
    v.shape[0] = n as i64;
    v.stride[0] = 1;
    v
}

fn main() {
    let x: Vec<f64> = (1..=1000).map(f64::from).collect();
    let (mut total, mut running) = ([0.0], vec![0.0; x.len()]);
    let mut ctx = std::ptr::null_mut();
    let none = std::ptr::null();
    unsafe {
        let mut status = hd_open(&mut ctx, none);
        if status == 0 {
            status = hd_reduce(ctx, input(&x), SUM, output(&mut total), none);
        }
        if status == 0 {
            status = hd_scan(ctx, input(&x), SUM, output(&mut running), none);
        }
        if status != 0 {
            eprintln!("{}", CStr::from_ptr(hd_error(ctx)).to_string_lossy());
            std::process::exit(1);
        }
        hd_close(ctx);
    }
    println!("sum {}, of the first ten {}", total[0], running[9]);
}
