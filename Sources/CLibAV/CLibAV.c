#define _GNU_SOURCE
#include "CLibAV.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static AntenaAVFunctions functions;
static pthread_once_t load_once = PTHREAD_ONCE_INIT;
static int load_result = -1;
static char load_error[ANTENA_MESSAGE_CAPACITY];

// MARK: Log

// A damaged file can make libav log a line per packet: at most this many go to standard error; the last error is always
// kept.
enum { MAXIMUM_LINES_ON_STDERR = 200 };

static pthread_mutex_t message_lock = PTHREAD_MUTEX_INITIALIZER;
static char last_message[ANTENA_MESSAGE_CAPACITY];
static int lines_on_stderr;
static __thread int is_quiet;
static __thread int is_hidden;

void antena_av_quiet_this_thread(void) { is_quiet = 1; }
void antena_av_show_messages_of_this_thread(int is_shown) { is_hidden = !is_shown; }

static void receive_log(void *context, int level, const char *format, va_list arguments) {
    if (level > AV_LOG_WARNING || is_quiet) return;
    static __thread int print_prefix = 1;
    char line[ANTENA_MESSAGE_CAPACITY];
    functions.av_log_format_line2(context, level, format, arguments, line, sizeof line, &print_prefix);
    size_t length = strnlen(line, sizeof line);
    while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == '\r')) line[--length] = 0;
    if (length == 0) return;
    pthread_mutex_lock(&message_lock);
    if (level <= AV_LOG_ERROR) {
        // "[mov,mp4,m4a,3gp,3g2,mj2 @ 0x55…] moov atom not found": the address means nothing to a user.
        const char *start = line;
        for (const char *end; *start == '[' && (end = strstr(start, "] ")) != NULL;) start = end + 2;
        snprintf(last_message, sizeof last_message, "%s", start);
    }
    int shown = !is_hidden && lines_on_stderr < MAXIMUM_LINES_ON_STDERR;
    lines_on_stderr += shown;
    pthread_mutex_unlock(&message_lock);
    if (shown) fprintf(stderr, "%s\n", line);
}

void antena_av_last_message(char *text, size_t capacity) {
    pthread_mutex_lock(&message_lock);
    snprintf(text, capacity, "%s", last_message);
    pthread_mutex_unlock(&message_lock);
}

void antena_av_forget_messages(void) {
    pthread_mutex_lock(&message_lock);
    last_message[0] = 0;
    pthread_mutex_unlock(&message_lock);
}

// MARK: Loading

static void *open_library(const char *name, int major) {
    char file[64];
    snprintf(file, sizeof file, "lib%s.so.%d", name, major);
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        snprintf(load_error, sizeof load_error, "cannot load %s; install it with: apt-get install lib%s%d (%s)", file,
                 name, major, dlerror());
    }
    return library;
}

static void *find_function(void *library, const char *name) {
    void *function = dlsym(library, name);
    if (function == NULL) snprintf(load_error, sizeof load_error, "libav has no function %s (%s)", name, dlerror());
    return function;
}

// dlsym returns an object pointer; POSIX promises that it can become a function pointer.
#define RESOLVE_INTO(TABLE, NAME) \
    if ((*(void **)&TABLE.NAME = find_function(library, #NAME)) == NULL) return;
#define RESOLVE(NAME) RESOLVE_INTO(functions, NAME)
#define RESOLVE_DEVICE(NAME) RESOLVE_INTO(device_functions, NAME)

static void load(void) {
    void *library;
    if ((library = open_library("avutil", LIBAVUTIL_VERSION_MAJOR)) == NULL) return;
    ANTENA_AVUTIL_FUNCTIONS(RESOLVE)
    if ((library = open_library("swresample", LIBSWRESAMPLE_VERSION_MAJOR)) == NULL) return;
    ANTENA_SWRESAMPLE_FUNCTIONS(RESOLVE)
    if ((library = open_library("swscale", LIBSWSCALE_VERSION_MAJOR)) == NULL) return;
    ANTENA_SWSCALE_FUNCTIONS(RESOLVE)
    if ((library = open_library("avcodec", LIBAVCODEC_VERSION_MAJOR)) == NULL) return;
    ANTENA_AVCODEC_FUNCTIONS(RESOLVE)
    if ((library = open_library("avformat", LIBAVFORMAT_VERSION_MAJOR)) == NULL) return;
    ANTENA_AVFORMAT_FUNCTIONS(RESOLVE)
    functions.av_log_set_callback(receive_log);
    load_result = 0;
}

int antena_av_load(char *error, size_t error_capacity) {
    pthread_once(&load_once, load);
    if (load_result != 0) snprintf(error, error_capacity, "%s", load_error);
    return load_result;
}

const AntenaAVFunctions *antena_av_functions(void) { return &functions; }

static AntenaAVDeviceFunctions device_functions;
static pthread_once_t device_load_once = PTHREAD_ONCE_INIT;
static int device_load_result = -1;

// ALSA would write to standard error by itself, before the sentence that says what to do.
static void ignore_alsa(const char *file, int line, const char *function, int error, const char *format, ...) {
    (void)file, (void)line, (void)function, (void)error, (void)format;
}

static void quiet_alsa(void) {
    void *library = dlopen("libasound.so.2", RTLD_LAZY | RTLD_NOLOAD);
    if (library == NULL) return;
    int (*set_handler)(void (*)(const char *, int, const char *, int, const char *, ...));
    *(void **)&set_handler = dlsym(library, "snd_lib_error_set_handler");
    if (set_handler != NULL) set_handler(ignore_alsa);
}

static void load_devices(void) {
    void *library;
    if ((library = open_library("avdevice", LIBAVDEVICE_VERSION_MAJOR)) == NULL) return;
    ANTENA_AVDEVICE_FUNCTIONS(RESOLVE_DEVICE)
    device_functions.avdevice_register_all();
    quiet_alsa();
    device_load_result = 0;
}

int antena_av_load_devices(char *error, size_t error_capacity) {
    pthread_once(&device_load_once, load_devices);
    if (device_load_result != 0) snprintf(error, error_capacity, "%s", load_error);
    return device_load_result;
}

const AntenaAVDeviceFunctions *antena_av_device_functions(void) { return &device_functions; }

int antena_av_refuse_open(
    AVFormatContext *context, AVIOContext **io, const char *url, int flags, AVDictionary **options
) {
    (void)context, (void)io, (void)url, (void)flags, (void)options;
    return AVERROR(EPERM);
}

// Swift's Glibc module omits functions that need _GNU_SOURCE.
void antena_name_this_thread(const char *name) { pthread_setname_np(pthread_self(), name); }
