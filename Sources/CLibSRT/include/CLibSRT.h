#pragma once

// libsrt's types and constants from its header, and its functions through a table that is filled with dlopen on first
// use: only a server that is configured with SRT loads libsrt. The header's functions must never be called by name, only
// through the table; the linker enforces it, as nothing links -lsrt.

#include <netinet/in.h>
#include <srt/access_control.h>
#include <srt/srt.h>
#include <stddef.h>

#define ANTENA_SRT_FUNCTIONS(F) \
    F(srt_accept) F(srt_bind) F(srt_bistats) F(srt_cleanup) F(srt_close) F(srt_connect) F(srt_create_socket) \
    F(srt_epoll_add_usock) F(srt_epoll_create) F(srt_epoll_release) F(srt_epoll_remove_usock) F(srt_epoll_set) \
    F(srt_epoll_update_usock) F(srt_epoll_uwait) F(srt_getlasterror) F(srt_getlasterror_str) F(srt_getrejectreason) \
    F(srt_getsockflag) F(srt_getsockname) F(srt_getsockstate) F(srt_getversion) F(srt_listen) F(srt_listen_callback) \
    F(srt_recvmsg2) F(srt_rejectreason_str) F(srt_sendmsg2) F(srt_setloghandler) F(srt_setloglevel) \
    F(srt_setrejectreason) F(srt_setsockflag) F(srt_startup)

/// libsrt's functions under their own names. All are null until antena_srt_load succeeds.
typedef struct {
#define ANTENA_SRT_DECLARE(NAME) __typeof__(&NAME) NAME;
    ANTENA_SRT_FUNCTIONS(ANTENA_SRT_DECLARE)
#undef ANTENA_SRT_DECLARE
} AntenaSRTFunctions;

enum { ANTENA_SRT_MESSAGE_CAPACITY = 512 };

/// Loads libsrt once, and keeps it from writing to standard error. Returns 0, or -1 with the reason and the package to
/// install in `error`. May be called from any thread.
int antena_srt_load(char *error, size_t error_capacity);
const AntenaSRTFunctions *antena_srt_functions(void);

/// The bytes of an IPv4 or IPv6 address; 0 for any other family. (Swift cannot cast a sockaddr without copying it.)
socklen_t antena_srt_address_length(const struct sockaddr *address);
