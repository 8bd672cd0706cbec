! SPDX-License-Identifier: Apache-2.0
! Sums and running totals from Fortran, through the C interface:
!     gfortran sum.f90 -L/usr/local/lib -lheddle -o sum && ./sum
module heddle
    use, intrinsic :: iso_c_binding
    implicit none

    ! hd_view, as heddle.h has it.
    type, bind(c) :: hd_view
        type(c_ptr) :: data
        integer(c_int32_t) :: kind, ndim
        integer(c_int16_t) :: space, device
        integer(c_int32_t) :: read_only
        integer(c_int64_t) :: shape(8), stride(8), scalar(2)
    end type

    integer(c_int32_t), parameter :: hd_f64 = 12
    integer(c_intptr_t), parameter :: hd_sum = 1 ! built-in operators are numbers

    interface
        integer(c_int) function hd_open(ctx, options) bind(c)
            import
            type(c_ptr), intent(out) :: ctx
            type(c_ptr), value :: options
        end function
        subroutine hd_close(ctx) bind(c)
            import
            type(c_ptr), value :: ctx
        end subroutine
        integer(c_int) function hd_reduce(ctx, in, op, out, options) bind(c)
            import
            type(c_ptr), value :: ctx, options
            type(hd_view), value :: in, out
            integer(c_intptr_t), value :: op
        end function
        integer(c_int) function hd_scan(ctx, in, op, out, options) bind(c)
            import
            type(c_ptr), value :: ctx, options
            type(hd_view), value :: in, out
            integer(c_intptr_t), value :: op
        end function
    end interface

contains

    type(hd_view) function view_of(x)
        real(c_double), target, intent(in) :: x(:)
        view_of%data = c_loc(x(1))
        view_of%kind = hd_f64
        view_of%ndim = 1
        view_of%space = 0
        view_of%device = 0
        view_of%read_only = 0
        view_of%shape = 0
        view_of%stride = 0
        view_of%scalar = 0
        view_of%shape(1) = size(x, kind=c_int64_t)
        view_of%stride(1) = 1
    end function
end module

program sums
    use heddle
    implicit none
    real(c_double), target :: x(1000), running(1000), total(1)
    type(c_ptr) :: ctx
    integer :: i, status

    x = [(real(i, c_double), i = 1, 1000)]
    status = hd_open(ctx, c_null_ptr)
    if (status == 0) status = hd_reduce(ctx, view_of(x), hd_sum, view_of(total), c_null_ptr)
    if (status == 0) status = hd_scan(ctx, view_of(x), hd_sum, view_of(running), c_null_ptr)
    if (status /= 0) error stop 'heddle: a call failed'
    call hd_close(ctx)
    print '(a, i0, a, i0)', 'sum ', nint(total(1)), ', of the first ten ', nint(running(10))
end program
