#pragma once

// libav's types and constants from its headers, and its functions through a table that is filled with dlopen on first
// use: linking libavformat costs 26 MB of resident memory and 30 ms at start (measured with Debian 12's 5.1.9), a price
// that only worker processes and servers that transcode should pay. The headers' functions must therefore never be
// called by name, only through the table; the linker enforces it, as nothing links -lavformat.

#include <libavcodec/avcodec.h>
#include <libavcodec/bsf.h>
#include <libavdevice/avdevice.h>
#include <libavformat/avformat.h>
#include <libavutil/audio_fifo.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/dict.h>
#include <libavutil/display.h>
#include <libavutil/frame.h>
#include <libavutil/hwcontext.h>
#include <libavutil/imgutils.h>
#include <libavutil/log.h>
#include <libavutil/mathematics.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libavutil/samplefmt.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

// Each function is listed once, under its library.
#define ANTENA_AVUTIL_FUNCTIONS(F) \
    F(av_buffer_ref) F(av_buffer_unref) \
    F(av_audio_fifo_alloc) F(av_audio_fifo_free) F(av_audio_fifo_read) F(av_audio_fifo_size) F(av_audio_fifo_write) \
    F(av_channel_layout_copy) F(av_channel_layout_default) F(av_channel_layout_uninit) \
    F(av_dict_free) F(av_dict_get) F(av_dict_set) \
    F(av_display_rotation_get) \
    F(av_frame_alloc) F(av_frame_copy_props) F(av_frame_free) F(av_frame_get_buffer) F(av_frame_get_side_data) \
    F(av_frame_ref) F(av_frame_remove_side_data) F(av_frame_unref) F(av_free) F(av_mallocz) \
    F(av_hwdevice_ctx_create) F(av_hwframe_ctx_alloc) F(av_hwframe_ctx_init) F(av_hwframe_get_buffer) \
    F(av_hwframe_transfer_data) \
    F(av_get_pix_fmt_name) F(av_log_format_line2) F(av_log_set_callback) F(av_log_set_level) \
    F(av_pix_fmt_desc_get) F(av_rescale_q) F(av_samples_set_silence) F(av_strerror)

#define ANTENA_AVCODEC_FUNCTIONS(F) \
    F(av_new_packet) F(av_packet_alloc) F(av_packet_free) F(av_packet_move_ref) F(av_packet_unref) \
    F(av_parser_close) F(av_parser_init) F(av_parser_parse2) \
    F(avcodec_alloc_context3) F(avcodec_find_decoder) F(avcodec_find_decoder_by_name) \
    F(avcodec_find_encoder_by_name) F(avcodec_flush_buffers) \
    F(avcodec_free_context) F(avcodec_get_name) F(avcodec_open2) F(avcodec_parameters_copy) \
    F(avcodec_parameters_from_context) F(avcodec_parameters_to_context) \
    F(avcodec_receive_frame) F(avcodec_receive_packet) F(avcodec_send_frame) F(avcodec_send_packet)

#define ANTENA_AVFORMAT_FUNCTIONS(F) \
    F(av_find_best_stream) F(av_find_input_format) F(av_guess_frame_rate) F(av_guess_sample_aspect_ratio) F(av_interleaved_write_frame) \
    F(av_probe_input_buffer2) F(av_read_frame) F(av_stream_get_side_data) F(av_stream_new_side_data) \
    F(av_write_frame) F(av_write_trailer) \
    F(avformat_alloc_context) F(avformat_alloc_output_context2) F(avformat_close_input) \
    F(avformat_find_stream_info) F(avformat_free_context) F(avformat_index_get_entries_count) \
    F(avformat_index_get_entry) F(avformat_new_stream) F(avformat_open_input) \
    F(avformat_seek_file) F(avformat_version) F(avformat_write_header) \
    F(avio_alloc_context) F(avio_close_dyn_buf) F(avio_closep) F(avio_context_free) F(avio_open2) \
    F(avio_open_dyn_buf) F(avio_read) F(avio_seek) F(avio_write)

#define ANTENA_AVDEVICE_FUNCTIONS(F) \
    F(avdevice_free_list_devices) F(avdevice_list_input_sources) F(avdevice_register_all)

#define ANTENA_SWSCALE_FUNCTIONS(F) F(sws_freeContext) F(sws_getCachedContext) F(sws_scale_frame)

#define ANTENA_SWRESAMPLE_FUNCTIONS(F) \
    F(swr_alloc_set_opts2) F(swr_convert) F(swr_free) F(swr_get_out_samples) F(swr_init) F(swr_set_compensation)

/// libav's functions under their own names. All are null until antena_av_load succeeds.
typedef struct {
#define ANTENA_DECLARE(NAME) __typeof__(&NAME) NAME;
    ANTENA_AVUTIL_FUNCTIONS(ANTENA_DECLARE)
    ANTENA_AVCODEC_FUNCTIONS(ANTENA_DECLARE)
    ANTENA_AVFORMAT_FUNCTIONS(ANTENA_DECLARE)
    ANTENA_SWSCALE_FUNCTIONS(ANTENA_DECLARE)
    ANTENA_SWRESAMPLE_FUNCTIONS(ANTENA_DECLARE)
} AntenaAVFunctions;

/// libavdevice's functions, in a separate table: only a broadcaster's cameras need it, and it loads some fifty
/// libraries of its own.
typedef struct {
    ANTENA_AVDEVICE_FUNCTIONS(ANTENA_DECLARE)
} AntenaAVDeviceFunctions;
#undef ANTENA_DECLARE

/// Loads the libraries whose headers this was compiled with and fills the table; later calls return the first call's
/// result. Safe from any thread.
///
/// Returns 0, or -1 with a sentence in `error` that names the library and the Debian package that provides it.
int antena_av_load(char *error, size_t error_capacity);

/// Loads libavdevice in the same way and registers its devices with libavformat. Requires that antena_av_load has
/// returned 0.
int antena_av_load_devices(char *error, size_t error_capacity);
const AntenaAVDeviceFunctions *antena_av_device_functions(void);

/// Returns the table. Read it only after antena_av_load has returned 0: from then on it never changes.
const AntenaAVFunctions *antena_av_functions(void);

/// Copies the last error line that libav logged since antena_av_forget_messages, without its line end; empty if there
/// was none. It says more than libav's error codes.
void antena_av_last_message(char *text, size_t capacity);
void antena_av_forget_messages(void);

/// Discards everything that libav logs on the calling thread from now on: for threads that decode an untrusted stream
/// for days and count its damage themselves.
void antena_av_quiet_this_thread(void);

/// Sets whether libav's log lines of the calling thread also go to standard error, which is the default; the last error
/// is kept either way.
void antena_av_show_messages_of_this_thread(int is_shown);

// Constants and functions for macros that Swift cannot import.
enum { ANTENA_MESSAGE_CAPACITY = 512 };
static inline int antena_averror(int posix_code) { return AVERROR(posix_code); }
static inline int antena_averror_eof(void) { return AVERROR_EOF; }
static inline int antena_averror_external(void) { return AVERROR_EXTERNAL; }
static inline int antena_averror_exit(void) { return AVERROR_EXIT; }
static inline int antena_averror_invalid_data(void) { return AVERROR_INVALIDDATA; }
static inline int antena_averror_stream_not_found(void) { return AVERROR_STREAM_NOT_FOUND; }
static inline int64_t antena_av_nopts(void) { return AV_NOPTS_VALUE; }
static inline unsigned antena_av_tag(char a, char b, char c, char d) { return MKTAG(a, b, c, d); }

/// An io_open callback for AVFormatContext that opens nothing: references to other files are not followed.
int antena_av_refuse_open(AVFormatContext *context, AVIOContext **io, const char *url, int flags, AVDictionary **options);

/// The sizes of the tables of antena_map_colors: their nodes lie 32 (luma) and 8 (chroma) steps of ten bits apart. PQ
/// takes few steps of chroma for all colours, and many of luma.
enum { ANTENA_COLOR_LUMA_NODES = 33, ANTENA_COLOR_CHROMA_NODES = 129 };

/// Maps every pixel of a planar 4:2:0 frame of ten bits to one of eight bits of the same size.
///
/// `luma_table` has the new luma, in 1/128, for each Cb, Cr and Y: [129][129][33]. `chroma_table` has the new Cb and Cr
/// for each Cb, Cr and Y: [129][129][33][2].
void antena_map_colors(
    const uint16_t *luma_table, const uint16_t *chroma_table, const AVFrame *source, AVFrame *target);

/// Drops capabilities that a process for untrusted files never needs: gaining privileges through set-user-id programs
/// (PR_SET_NO_NEW_PRIVS) and, if the kernel filters system calls, new sockets, programs and processes, signals to other
/// processes and access to their memory, limits and scheduling, and the modes and owners of files. Both last until the
/// process ends.
///
/// Returns 0, or an errno value.
int antena_confine_process(void);

/// Returns whether the kernel filters system calls as antena_confine_process needs it, and whether it has Landlock.
/// Neither changes anything.
int antena_can_filter_calls(void);
int antena_can_confine_files(void);

/// Restricts the calling thread, and threads that it starts from then on, to reading one file and to reading and
/// writing below one folder (Landlock). Either may be null. Files that are open already stay open. Newer kernels also
/// refuse TCP connections, and signals to and abstract sockets of other processes.
///
/// `readable` and `writable` name additional files and folders, each list terminated by null; missing ones are skipped.
/// Nothing can be created or removed below `writable`.
///
/// Returns 0, even if the kernel has no Landlock, or an errno value.
int antena_confine_files(
    const char *readable_file, const char *writable_folder, const char *const *readable, const char *const *writable);

/// Returns the number of the process's threads, or a negative errno.
int antena_thread_count(void);

/// Confines a worker for the rest of its life: antena_confine_process and antena_confine_files.
///
/// Returns 0 or an errno. EBUSY means that the process has a second thread, which could still open every file; nothing
/// is changed then.
int antena_confine(
    const char *readable_file, const char *writable_folder, const char *const *readable, const char *const *writable);

/// Sets the name of the calling thread, at most 15 characters, for `top` and debuggers.
void antena_name_this_thread(const char *name);
