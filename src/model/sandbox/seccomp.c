// SPDX-License-Identifier: Apache-2.0
//
// seccomp: system calls that are of no use to a compiler or the model machine are answered with
// EPERM.
#define _GNU_SOURCE
#include "confine.h"

#if defined __linux__ && (defined __x86_64__ || defined __aarch64__)

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#ifdef __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif
#define OTHER_CALLS 0x40000000u // x32 on x86-64: the same calls by other numbers

// The network, other processes, the system, and what Landlock does not watch of files.
static const uint32_t never[] = {
    SYS_socket,
    SYS_connect,
    SYS_bind,
    SYS_listen,
    SYS_accept,
    SYS_accept4,
    SYS_sendto,
    SYS_sendmsg,
    SYS_sendmmsg,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kcmp,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_setns,
    SYS_unshare,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_reboot,
    SYS_swapon,
    SYS_swapoff,
    SYS_acct,
    SYS_quotactl,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_adjtimex,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_personality,
    SYS_open_by_handle_at,
    SYS_name_to_handle_at,
    SYS_fanotify_init,
    SYS_fchmodat,
    SYS_fchownat,
    SYS_setxattr,
    SYS_lsetxattr,
    SYS_fsetxattr,
    SYS_removexattr,
    SYS_lremovexattr,
    SYS_fremovexattr,
    452,
    463,
    466, // fchmodat2, setxattrat, removexattrat: newer than most headers
#ifdef SYS_userfaultfd
    SYS_userfaultfd,
#endif
#ifdef SYS_io_uring_setup
    SYS_io_uring_setup,
#endif
#ifdef SYS_pidfd_getfd
    SYS_pidfd_getfd,
#endif
#ifdef SYS_fsopen
    SYS_fsopen,
    SYS_open_tree,
    SYS_move_mount,
#endif
#ifdef SYS_chmod
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
#endif
#ifdef SYS_iopl
    SYS_iopl,
    SYS_ioperm,
#endif
};

// Every way to change a file by its name.
static const uint32_t changing[] = {
    SYS_unlinkat, SYS_renameat2, SYS_mkdirat, SYS_mknodat, SYS_linkat, SYS_symlinkat, SYS_truncate,
#ifdef SYS_renameat
    SYS_renameat,
#endif
#ifdef SYS_openat2
    SYS_openat2,
#endif
#ifdef SYS_unlink
    SYS_unlink,   SYS_rename,    SYS_mkdir,   SYS_rmdir,   SYS_mknod,  SYS_link,      SYS_symlink,
    SYS_creat,
#endif
};

typedef struct program {
    struct sock_filter at[256];
    unsigned short count;
} program;

static void add(program *p, uint16_t code, uint32_t value, uint8_t if_true, uint8_t if_false)
{
    p->at[p->count++] = (struct sock_filter){code, if_true, if_false, value};
}

#define LOAD(field) BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, field)

static void refuse(program *p)
{
    add(p, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM, 0, 0);
}

static void refuse_all(program *p, const uint32_t *calls, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        add(p, BPF_JMP | BPF_JEQ | BPF_K, calls[k], 0, 1);
        refuse(p);
    }
}

// Opening to write, by the argument that holds the flags. The number is loaded again behind it.
static void refuse_writing(program *p, uint32_t call, int argument)
{
    add(p, BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4);
    add(p, BPF_LD | BPF_W | BPF_ABS,
        (uint32_t)(offsetof(struct seccomp_data, args) + 8 * (size_t)argument), 0, 0);
    add(p, BPF_JMP | BPF_JSET | BPF_K, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC, 0, 1);
    refuse(p);
    add(p, LOAD(nr), 0, 0);
}

bool hd__model_confine_calls(bool files)
{
    program p = {.count = 0};
    add(&p, LOAD(arch), 0, 0);
    add(&p, BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
    refuse(&p);
    add(&p, LOAD(nr), 0, 0);
    add(&p, BPF_JMP | BPF_JGE | BPF_K, OTHER_CALLS, 0, 1);
    refuse(&p);
    refuse_all(&p, never, sizeof never / sizeof *never);
    if (files) {
        refuse_all(&p, changing, sizeof changing / sizeof *changing);
        refuse_writing(&p, SYS_openat, 2);
#ifdef SYS_open
        refuse_writing(&p, SYS_open, 1);
#endif
    }
    add(&p, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
    const struct sock_fprog filter = {p.count, p.at};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

#else

bool hd__model_confine_calls(bool files)
{
    (void)files;
    return false;
}

#endif
