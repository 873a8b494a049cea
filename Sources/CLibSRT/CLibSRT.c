#define _GNU_SOURCE
#include "CLibSRT.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static AntenaSRTFunctions functions;
static pthread_once_t load_once = PTHREAD_ONCE_INIT;
static int load_result = -1;
static char load_error[ANTENA_SRT_MESSAGE_CAPACITY];

static void *find_function(void *library, const char *name) {
    void *function = dlsym(library, name);
    if (function == NULL) snprintf(load_error, sizeof load_error, "libsrt has no function %s (%s)", name, dlerror());
    return function;
}

// dlsym returns an object pointer; POSIX promises that it can become a function pointer.
#define RESOLVE(NAME) \
    if ((*(void **)&functions.NAME = find_function(library, #NAME)) == NULL) return;

static void discard(void *context, int level, const char *file, int line, const char *area, const char *message) {
    (void)context, (void)level, (void)file, (void)line, (void)area, (void)message;
}

// Debian builds the library twice; one of the two is there wherever libavformat is.
static const char *const names[] = {"libsrt-gnutls.so.1.5", "libsrt-openssl.so.1.5", "libsrt.so.1.5"};

static void load(void) {
    void *library = NULL;
    for (size_t index = 0; library == NULL && index < sizeof names / sizeof *names; index++) {
        library = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
    }
    if (library == NULL) {
        snprintf(load_error, sizeof load_error,
                 "cannot load libsrt; install it with: apt-get install libsrt1.5-gnutls (%s)", dlerror());
        return;
    }
    ANTENA_SRT_FUNCTIONS(RESOLVE)
    functions.srt_setloghandler(NULL, discard);
    load_result = 0;
}

int antena_srt_load(char *error, size_t error_capacity) {
    pthread_once(&load_once, load);
    if (load_result != 0) snprintf(error, error_capacity, "%s", load_error);
    return load_result;
}

const AntenaSRTFunctions *antena_srt_functions(void) { return &functions; }

socklen_t antena_srt_address_length(const struct sockaddr *address) {
    switch (address->sa_family) {
    case AF_INET: return sizeof(struct sockaddr_in);
    case AF_INET6: return sizeof(struct sockaddr_in6);
    default: return 0;
    }
}
