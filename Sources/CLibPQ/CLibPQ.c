#define _GNU_SOURCE
#include "CLibPQ.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static AntenaPQFunctions functions;
static pthread_once_t load_once = PTHREAD_ONCE_INIT;
static int load_result = -1;
static char load_error[ANTENA_PQ_MESSAGE_CAPACITY];

static void *find_function(void *library, const char *name) {
    void *function = dlsym(library, name);
    if (function == NULL) snprintf(load_error, sizeof load_error, "libpq has no function %s (%s)", name, dlerror());
    return function;
}

// dlsym returns an object pointer; POSIX promises that it can become a function pointer.
#define RESOLVE(NAME) \
    if ((*(void **)&functions.NAME = find_function(library, #NAME)) == NULL) return;

static void load(void) {
    void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        snprintf(load_error, sizeof load_error, "cannot load libpq.so.5; install it with: apt-get install libpq5 (%s)",
                 dlerror());
        return;
    }
    ANTENA_PQ_FUNCTIONS(RESOLVE)
    load_result = 0;
}

int antena_pq_load(char *error, size_t error_capacity) {
    pthread_once(&load_once, load);
    if (load_result != 0) snprintf(error, error_capacity, "%s", load_error);
    return load_result;
}

const AntenaPQFunctions *antena_pq_functions(void) { return &functions; }

static void discard(void *context, const char *message) { (void)context, (void)message; }

void antena_pq_discard_notices(PGconn *connection) { functions.PQsetNoticeProcessor(connection, discard, NULL); }

static const char *field(const PGresult *result, int code) {
    const char *text = functions.PQresultErrorField(result, code);
    return text == NULL ? "" : text;
}

const char *antena_pq_sql_state(const PGresult *result) { return field(result, PG_DIAG_SQLSTATE); }
const char *antena_pq_constraint_name(const PGresult *result) { return field(result, PG_DIAG_CONSTRAINT_NAME); }
