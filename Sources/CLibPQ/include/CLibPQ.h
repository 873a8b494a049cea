#pragma once

// libpq's types and constants from its header, and its functions through a table that is filled with dlopen on first
// use: only a server that is configured with a postgres:// URL loads libpq. The header's functions must never be called
// by name, only through the table; the linker enforces it, as nothing links -lpq.

#include <postgresql/libpq-fe.h>
#include <stddef.h>

#define ANTENA_PQ_FUNCTIONS(F) \
    F(PQclear) F(PQcmdStatus) F(PQcmdTuples) F(PQconnectPoll) F(PQconnectStartParams) F(PQconninfoFree) \
    F(PQconninfoParse) F(PQconsumeInput) F(PQerrorMessage) F(PQfinish) F(PQflush) F(PQfreemem) F(PQgetResult) \
    F(PQgetisnull) F(PQgetlength) F(PQgetvalue) F(PQisBusy) F(PQfname) F(PQlibVersion) F(PQnfields) F(PQntuples) \
    F(PQresultErrorField) F(PQresultErrorMessage) F(PQresultStatus) F(PQsendPrepare) F(PQsendQuery) \
    F(PQsendQueryParams) F(PQsendQueryPrepared) F(PQserverVersion) F(PQsetNoticeProcessor) F(PQsetnonblocking) \
    F(PQsocket) F(PQstatus)

/// libpq's functions under their own names. All are null until antena_pq_load succeeds.
typedef struct {
#define ANTENA_PQ_DECLARE(NAME) __typeof__(&NAME) NAME;
    ANTENA_PQ_FUNCTIONS(ANTENA_PQ_DECLARE)
#undef ANTENA_PQ_DECLARE
} AntenaPQFunctions;

enum { ANTENA_PQ_MESSAGE_CAPACITY = 512 };

/// Loads libpq once. Returns 0, or -1 with the reason and the package to install in `error`. May be called from any
/// thread.
int antena_pq_load(char *error, size_t error_capacity);
const AntenaPQFunctions *antena_pq_functions(void);

/// Discards the notices of a connection, which libpq would otherwise write to standard error.
void antena_pq_discard_notices(PGconn *connection);

/// The SQLSTATE of a failed result; an empty string if it has none. (PG_DIAG_SQLSTATE is a character constant, which
/// Swift does not import.)
const char *antena_pq_sql_state(const PGresult *result);
const char *antena_pq_constraint_name(const PGresult *result);
