// Players who all wait for the next part of one channel: thousands of connections that reload its playlist and block.
// In C, because what the load takes of the processor is time that the server's answers wait.
//
//   crowd PORT PLAYLIST COUNT
//
// Prints a line of JSON once all wait, and one for each line of standard input, with what has happened since: for each
// part how long after its last picture was sent 99 % of the players, and the last of them, had the playlist. Ends with
// its standard input. The publisher is Benchmarks/stamped_publisher.py.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { ANSWER_SIZE = 1 << 16, PART_SIZE = 1 << 23, MOST_ROUNDS = 4096, OPEN_ROUNDS = 8, EVENTS = 1024 };
static const char IDENTIFIER[] = "Antena latency 1";  // stamped_publisher.py

struct position { long sequence, part; };
struct viewer { int socket, round; size_t received; char *answer; };
struct round { struct position after; int arrived; double *arrivals; char uri[256]; };

static int port, count, refused, unfinished;
static const char *playlist;
static struct round rounds[OPEN_ROUNDS];  // the newest, and those in which somebody may still wait
static int newest;
static double p99[MOST_ROUNDS], lasts[MOST_ROUNDS];
static int finished;

_Noreturn static void fail(const char *what) {
    fprintf(stderr, "crowd: %s: %s\n", what, strerror(errno));
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static int connected(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int one = 1, number = socket(AF_INET, SOCK_STREAM, 0);
    if (number < 0 || connect(number, (struct sockaddr *)&address, sizeof address) < 0) fail("connect");
    setsockopt(number, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return number;
}

static void request(int number, const char *path) {
    char text[1024];
    int length = snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", path);
    if (send(number, text, length, MSG_NOSIGNAL) != length) fail("send");
}

// Where the body begins, once the answer is whole; NULL before.
static char *whole_body(char *answer, size_t received) {
    answer[received] = 0;
    char *end = memmem(answer, received, "\r\n\r\n", 4);
    if (!end) return NULL;
    char *length = strcasestr(answer, "\r\ncontent-length:");
    if (!length || length > end) fail("an answer without a length");
    return received >= (size_t)(end + 4 - answer) + strtoul(length + 17, NULL, 10) ? end + 4 : NULL;
}

// Asks and waits. Returns the body; its status must be 200.
static char *fetched(int number, const char *path, char *answer, size_t size, size_t *byte_count) {
    size_t received = 0;
    char *body;
    request(number, path);
    do {
        ssize_t more = recv(number, answer + received, size - 1 - received, 0);
        if (more <= 0) fail(path);
        received += more;
    } while (!(body = whole_body(answer, received)));
    *byte_count = received - (body - answer);
    return strncmp(answer, "HTTP/1.1 200", 12) ? NULL : body;
}

// The last part that a playlist lists.
static struct position last_part(char *text, char *uri, size_t size) {
    char *line = NULL;
    for (char *next = text; (next = strstr(next, "#EXT-X-PART:")); next++) line = next;
    char *start = line ? strstr(line, "URI=\"") : NULL;
    char *end = start ? strchr(start + 5, '"') : NULL;
    if (!end || end - start - 5 >= (long)size) { errno = EINVAL; fail("a playlist without parts"); }
    snprintf(uri, size, "%.*s", (int)(end - start - 5), start + 5);
    struct position position;
    char *name = strrchr(uri, '/');
    if (!name || sscanf(name, "/%ld.%ld.m4s", &position.sequence, &position.part) != 2) fail(uri);
    return position;
}

static void ask(struct viewer *viewer) {
    char path[512];
    struct position after = rounds[newest % OPEN_ROUNDS].after;
    snprintf(path, sizeof path, "%s?_HLS_msn=%ld&_HLS_part=%ld", playlist, after.sequence, after.part + 1);
    viewer->received = 0;
    viewer->round = newest;
    request(viewer->socket, path);
}

static int compare(const void *first, const void *second) {
    double difference = *(const double *)first - *(const double *)second;
    return (difference > 0) - (difference < 0);
}

// All have the playlist: when was the last picture of its newest part sent?
static void finish(struct round *round, int checker) {
    static char part[PART_SIZE];
    char path[512], *folder = strrchr(playlist, '/'), *stamp = NULL;
    size_t byte_count;
    snprintf(path, sizeof path, "%.*s/%s", (int)(folder - playlist), playlist, round->uri);
    char *media = fetched(checker, path, part, sizeof part, &byte_count);
    if (!media || finished == MOST_ROUNDS) return;
    for (char *next = media; (next = memmem(next, media + byte_count - next, IDENTIFIER, 16)); next++) stamp = next;
    if (!stamp) return;
    char digits[17] = {0};
    memcpy(digits, stamp + 16, 16);
    double sent = strtoull(digits, NULL, 16) / 1e9;
    qsort(round->arrivals, count, sizeof(double), compare);
    p99[finished] = round->arrivals[count - 1 - count / 100] - sent;
    lasts[finished++] = round->arrivals[count - 1] - sent;
}

static void receive(struct viewer *viewer, int checker) {
    ssize_t more = recv(viewer->socket, viewer->answer + viewer->received, ANSWER_SIZE - 1 - viewer->received, 0);
    if (more < 0 && errno == EAGAIN) return;
    if (more <= 0) fail("the server closed a player's connection");
    viewer->received += more;
    char *body = whole_body(viewer->answer, viewer->received);
    if (!body) return;
    int number = viewer->round;
    struct round *round = &rounds[number % OPEN_ROUNDS];
    int is_open = number > newest - OPEN_ROUNDS;
    if (is_open) round->arrivals[round->arrived++] = now();
    if (strncmp(viewer->answer, "HTTP/1.1 200", 12)) {
        refused++;
    } else if (number == newest) {
        struct round *next = &rounds[(newest + 1) % OPEN_ROUNDS];
        if (next->arrived < count && newest + 1 >= OPEN_ROUNDS) unfinished++;
        next->after = last_part(body, round->uri, sizeof round->uri);
        next->arrived = 0;
        newest++;
    }
    ask(viewer);
    if (is_open && round->arrived == count) finish(round, checker);
}

static void tell(void) {
    printf("{\"refused\": %d, \"unfinished\": %d, \"p99\": [", refused, unfinished);
    for (int index = 0; index < finished; index++) printf("%s%.6f", index ? ", " : "", p99[index]);
    printf("], \"last\": [");
    for (int index = 0; index < finished; index++) printf("%s%.6f", index ? ", " : "", lasts[index]);
    printf("]}\n");
    fflush(stdout);
    finished = refused = unfinished = 0;
}

int main(int argc, char **argv) {
    if (argc != 4) { fprintf(stderr, "usage: crowd PORT PLAYLIST COUNT\n"); return 2; }
    port = atoi(argv[1]);
    playlist = argv[2];
    count = atoi(argv[3]);
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    struct viewer *viewers = calloc(count, sizeof *viewers);
    for (int index = 0; index < OPEN_ROUNDS; index++) rounds[index].arrivals = calloc(count, sizeof(double));
    int checker = connected(), poll = epoll_create1(0);
    static char answer[ANSWER_SIZE];
    size_t byte_count;
    char *text = fetched(checker, playlist, answer, sizeof answer, &byte_count);
    if (!text) fail(playlist);
    rounds[0].after = last_part(text, rounds[0].uri, sizeof rounds[0].uri);
    for (int index = 0; index < count; index++) {
        viewers[index].socket = connected();
        viewers[index].answer = malloc(ANSWER_SIZE);
        fcntl(viewers[index].socket, F_SETFL, O_NONBLOCK);
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = &viewers[index]};
        if (epoll_ctl(poll, EPOLL_CTL_ADD, viewers[index].socket, &event) < 0) fail("epoll_ctl");
    }
    for (int index = 0; index < count; index++) ask(&viewers[index]);
    struct epoll_event input = {.events = EPOLLIN, .data.ptr = NULL}, events[EVENTS];
    epoll_ctl(poll, EPOLL_CTL_ADD, 0, &input);
    printf("{\"viewers\": %d}\n", count);
    fflush(stdout);
    for (;;) {
        int ready = epoll_wait(poll, events, EVENTS, -1);
        for (int index = 0; index < ready; index++) {
            char line[64];
            if (events[index].data.ptr) receive(events[index].data.ptr, checker);
            else if (read(0, line, sizeof line) <= 0) return 0;
            else tell();
        }
    }
}
