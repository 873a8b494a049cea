#define _GNU_SOURCE
#include "CPango.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

// The libraries' types are opaque here, and their enumerations are ints.
typedef struct cairo_surface cairo_surface_t;
typedef struct cairo cairo_t;
typedef struct PangoLayout PangoLayout;
typedef struct PangoContext PangoContext;
typedef struct PangoFontDescription PangoFontDescription;
typedef struct PangoLanguage PangoLanguage;

// pango-types.h: units of a layout in a point.
enum { PANGO_SCALE = 1024 };
// cairo_format_t: 32 bits a pixel with alpha, by which the colours are multiplied.
enum { FORMAT_ARGB32 = 0 };
// PangoWrapMode, PangoEllipsizeMode, PangoWeight and cairo_pdf_metadata_t of the libraries' headers.
enum { WRAP_WORD_CHARACTER = 2, ELLIPSIZE_END = 3, WEIGHT_NORMAL = 400, WEIGHT_BOLD = 700, METADATA_TITLE = 0 };

#define GOBJECT_FUNCTIONS(F) F(void, g_object_unref, (void *))
#define CAIRO_FUNCTIONS(F) \
    F(cairo_surface_t *, cairo_pdf_surface_create_for_stream, (AntenaPDFWriter, void *, double, double)) \
    F(void, cairo_pdf_surface_set_metadata, (cairo_surface_t *, int, const char *)) \
    F(void, cairo_surface_finish, (cairo_surface_t *)) \
    F(void, cairo_surface_destroy, (cairo_surface_t *)) \
    F(int, cairo_surface_status, (cairo_surface_t *)) \
    F(cairo_t *, cairo_create, (cairo_surface_t *)) \
    F(void, cairo_destroy, (cairo_t *)) \
    F(int, cairo_status, (cairo_t *)) \
    F(const char *, cairo_status_to_string, (int)) \
    F(void, cairo_save, (cairo_t *)) \
    F(void, cairo_restore, (cairo_t *)) \
    F(void, cairo_rectangle, (cairo_t *, double, double, double, double)) \
    F(void, cairo_clip, (cairo_t *)) \
    F(void, cairo_fill, (cairo_t *)) \
    F(void, cairo_move_to, (cairo_t *, double, double)) \
    F(void, cairo_set_source_rgb, (cairo_t *, double, double, double)) \
    F(void, cairo_set_source_rgba, (cairo_t *, double, double, double, double)) \
    F(void, cairo_arc, (cairo_t *, double, double, double, double, double)) \
    F(cairo_surface_t *, cairo_image_surface_create, (int, int, int)) \
    F(unsigned char *, cairo_image_surface_get_data, (cairo_surface_t *)) \
    F(int, cairo_image_surface_get_stride, (cairo_surface_t *)) \
    F(void, cairo_surface_flush, (cairo_surface_t *)) \
    F(void, cairo_show_page, (cairo_t *))
#define PANGO_FUNCTIONS(F) \
    F(const char *, pango_version_string, (void)) \
    F(PangoFontDescription *, pango_font_description_from_string, (const char *)) \
    F(void, pango_font_description_free, (PangoFontDescription *)) \
    F(void, pango_font_description_set_absolute_size, (PangoFontDescription *, double)) \
    F(void, pango_font_description_set_weight, (PangoFontDescription *, int)) \
    F(PangoLanguage *, pango_language_from_string, (const char *)) \
    F(void, pango_context_set_language, (PangoContext *, PangoLanguage *)) \
    F(void, pango_context_set_round_glyph_positions, (PangoContext *, int)) \
    F(PangoContext *, pango_layout_get_context, (PangoLayout *)) \
    F(void, pango_layout_context_changed, (PangoLayout *)) \
    F(void, pango_layout_set_text, (PangoLayout *, const char *, int)) \
    F(void, pango_layout_set_width, (PangoLayout *, int)) \
    F(void, pango_layout_set_height, (PangoLayout *, int)) \
    F(void, pango_layout_set_wrap, (PangoLayout *, int)) \
    F(void, pango_layout_set_ellipsize, (PangoLayout *, int)) \
    F(void, pango_layout_set_alignment, (PangoLayout *, int)) \
    F(void, pango_layout_set_font_description, (PangoLayout *, const PangoFontDescription *)) \
    F(void, pango_layout_get_size, (PangoLayout *, int *, int *))
#define PANGOCAIRO_FUNCTIONS(F) \
    F(PangoLayout *, pango_cairo_create_layout, (cairo_t *)) \
    F(void, pango_cairo_show_layout, (cairo_t *, PangoLayout *))

#define DECLARE(RESULT, NAME, ARGUMENTS) RESULT(*NAME) ARGUMENTS;
static struct {
    GOBJECT_FUNCTIONS(DECLARE) CAIRO_FUNCTIONS(DECLARE) PANGO_FUNCTIONS(DECLARE) PANGOCAIRO_FUNCTIONS(DECLARE)
} functions;

static pthread_once_t load_once = PTHREAD_ONCE_INIT;
static int load_result = -1;
static char load_error[ANTENA_PDF_MESSAGE_CAPACITY];

static void *open_library(const char *file) {
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        snprintf(
            load_error, sizeof load_error,
            "cannot load %s; install it with: apt-get install libcairo2 libpango-1.0-0 libpangocairo-1.0-0 (%s)", file,
            dlerror());
    }
    return library;
}

static void *find_function(void *library, const char *name) {
    void *function = dlsym(library, name);
    if (function == NULL) {
        snprintf(load_error, sizeof load_error, "cairo and pango have no function %s (%s)", name, dlerror());
    }
    return function;
}

// dlsym returns an object pointer; POSIX promises that it can become a function pointer.
#define RESOLVE(RESULT, NAME, ARGUMENTS) \
    if ((*(void **)&functions.NAME = find_function(library, #NAME)) == NULL) return;

static void load(void) {
    void *library;
    if ((library = open_library("libgobject-2.0.so.0")) == NULL) return;
    GOBJECT_FUNCTIONS(RESOLVE)
    if ((library = open_library("libcairo.so.2")) == NULL) return;
    CAIRO_FUNCTIONS(RESOLVE)
    if ((library = open_library("libpango-1.0.so.0")) == NULL) return;
    PANGO_FUNCTIONS(RESOLVE)
    if ((library = open_library("libpangocairo-1.0.so.0")) == NULL) return;
    PANGOCAIRO_FUNCTIONS(RESOLVE)
    load_result = 0;
}

int antena_pdf_load(char *error, size_t error_capacity) {
    pthread_once(&load_once, load);
    if (load_result != 0) snprintf(error, error_capacity, "%s", load_error);
    return load_result;
}

const char *antena_pdf_version(void) { return functions.pango_version_string(); }

struct AntenaPDF {
    cairo_surface_t *surface;
    cairo_t *cairo;
    PangoLayout *layout;
    PangoFontDescription *font;
};

AntenaPDF *antena_pdf_create(
    double width, double height, const char *title, const char *language, AntenaPDFWriter write, void *context
) {
    AntenaPDF *document = calloc(1, sizeof *document);
    if (document == NULL) return NULL;
    // A surface or context in which something fails goes on as one that draws nothing; antena_pdf_finish says so.
    document->surface = functions.cairo_pdf_surface_create_for_stream(write, context, width, height);
    functions.cairo_pdf_surface_set_metadata(document->surface, METADATA_TITLE, title);
    document->cairo = functions.cairo_create(document->surface);
    document->layout = functions.pango_cairo_create_layout(document->cairo);
    PangoContext *settings = functions.pango_layout_get_context(document->layout);
    functions.pango_context_set_language(settings, functions.pango_language_from_string(language));
    // Letters of a screen stand on whole pixels; paper has none.
    functions.pango_context_set_round_glyph_positions(settings, 0);
    functions.pango_layout_context_changed(document->layout);
    functions.pango_layout_set_wrap(document->layout, WRAP_WORD_CHARACTER);
    functions.pango_layout_set_ellipsize(document->layout, ELLIPSIZE_END);
    document->font = functions.pango_font_description_from_string("Sans");
    return document;
}

static void set(AntenaPDF *document, const char *text, AntenaPDFStyle style, double width) {
    functions.pango_font_description_set_absolute_size(document->font, style.size * PANGO_SCALE);
    functions.pango_font_description_set_weight(document->font, style.is_bold ? WEIGHT_BOLD : WEIGHT_NORMAL);
    functions.pango_layout_set_font_description(document->layout, document->font);
    functions.pango_layout_set_alignment(document->layout, style.alignment);
    functions.pango_layout_set_width(document->layout, (int)(width * PANGO_SCALE));
    // A negative height is a number of lines.
    functions.pango_layout_set_height(document->layout, -style.maximum_line_count);
    functions.pango_layout_set_text(document->layout, text, -1);
}

double antena_pdf_measure(AntenaPDF *document, const char *text, AntenaPDFStyle style, double width) {
    set(document, text, style, width);
    int height = 0;
    functions.pango_layout_get_size(document->layout, NULL, &height);
    return (double)height / PANGO_SCALE;
}

void antena_pdf_show(
    AntenaPDF *document, const char *text, AntenaPDFStyle style, double x, double y, double width, double height
) {
    set(document, text, style, width);
    functions.cairo_save(document->cairo);
    // Marks that are piled up above a letter stay in their row.
    functions.cairo_rectangle(document->cairo, x, y, width, height);
    functions.cairo_clip(document->cairo);
    functions.cairo_set_source_rgb(document->cairo, style.grey, style.grey, style.grey);
    functions.cairo_move_to(document->cairo, x, y);
    functions.pango_cairo_show_layout(document->cairo, document->layout);
    functions.cairo_restore(document->cairo);
}

void antena_pdf_line(AntenaPDF *document, double x, double y, double width, double thickness, double grey) {
    functions.cairo_set_source_rgb(document->cairo, grey, grey, grey);
    functions.cairo_rectangle(document->cairo, x, y, width, thickness);
    functions.cairo_fill(document->cairo);
}

void antena_pdf_end_page(AntenaPDF *document) { functions.cairo_show_page(document->cairo); }

int antena_pdf_finish(AntenaPDF *document, char *error, size_t error_capacity) {
    int status = functions.cairo_status(document->cairo);
    functions.pango_font_description_free(document->font);
    functions.g_object_unref(document->layout);
    functions.cairo_destroy(document->cairo);
    functions.cairo_surface_finish(document->surface);
    if (status == 0) status = functions.cairo_surface_status(document->surface);
    functions.cairo_surface_destroy(document->surface);
    free(document);
    if (status == 0) return 0;
    if (error != NULL) snprintf(error, error_capacity, "%s", functions.cairo_status_to_string(status));
    return -1;
}

struct AntenaImage {
    cairo_surface_t *surface;
    cairo_t *cairo;
    PangoLayout *layout;
    PangoFontDescription *font;
};

AntenaImage *antena_image_create(int width, int height, const char *language) {
    AntenaImage *image = calloc(1, sizeof *image);
    if (image == NULL) return NULL;
    image->surface = functions.cairo_image_surface_create(FORMAT_ARGB32, width, height);
    image->cairo = functions.cairo_create(image->surface);
    image->layout = functions.pango_cairo_create_layout(image->cairo);
    functions.pango_context_set_language(
        functions.pango_layout_get_context(image->layout), functions.pango_language_from_string(language));
    functions.pango_layout_context_changed(image->layout);
    functions.pango_layout_set_ellipsize(image->layout, ELLIPSIZE_END);
    // A negative height is a number of lines.
    functions.pango_layout_set_height(image->layout, -1);
    image->font = functions.pango_font_description_from_string("Sans");
    return image;
}

static void set_line(AntenaImage *image, const char *text, AntenaImageStyle style, int width) {
    functions.pango_font_description_set_absolute_size(image->font, style.size * PANGO_SCALE);
    functions.pango_font_description_set_weight(image->font, style.is_bold ? WEIGHT_BOLD : WEIGHT_NORMAL);
    functions.pango_layout_set_font_description(image->layout, image->font);
    functions.pango_layout_set_alignment(image->layout, style.alignment);
    functions.pango_layout_set_width(image->layout, width);
    functions.pango_layout_set_text(image->layout, text, -1);
}

double antena_image_measure(AntenaImage *image, const char *text, AntenaImageStyle style) {
    set_line(image, text, style, -1);
    int width = 0;
    functions.pango_layout_get_size(image->layout, &width, NULL);
    return (double)width / PANGO_SCALE;
}

static void set_color(AntenaImage *image, AntenaColor color) {
    functions.cairo_set_source_rgba(image->cairo, color.red, color.green, color.blue, color.alpha);
}

void antena_image_show(
    AntenaImage *image, const char *text, AntenaImageStyle style, double x, double y, double width, double height
) {
    set_line(image, text, style, (int)(width * PANGO_SCALE));
    int text_height = 0;
    functions.pango_layout_get_size(image->layout, NULL, &text_height);
    functions.cairo_save(image->cairo);
    functions.cairo_rectangle(image->cairo, x, y, width, height);
    functions.cairo_clip(image->cairo);
    set_color(image, style.color);
    functions.cairo_move_to(image->cairo, x, y + (height - (double)text_height / PANGO_SCALE) / 2);
    functions.pango_cairo_show_layout(image->cairo, image->layout);
    functions.cairo_restore(image->cairo);
}

void antena_image_fill(AntenaImage *image, AntenaColor color, double x, double y, double width, double height) {
    set_color(image, color);
    functions.cairo_rectangle(image->cairo, x, y, width, height);
    functions.cairo_fill(image->cairo);
}

void antena_image_dot(AntenaImage *image, AntenaColor color, double x, double y, double radius) {
    set_color(image, color);
    functions.cairo_arc(image->cairo, x, y, radius, 0, 6.283185307179586);
    functions.cairo_fill(image->cairo);
}

const unsigned char *antena_image_pixels(AntenaImage *image, int *stride) {
    int status = functions.cairo_status(image->cairo);
    if (status == 0) status = functions.cairo_surface_status(image->surface);
    if (status != 0) return NULL;
    functions.cairo_surface_flush(image->surface);
    *stride = functions.cairo_image_surface_get_stride(image->surface);
    return functions.cairo_image_surface_get_data(image->surface);
}

void antena_image_destroy(AntenaImage *image) {
    functions.pango_font_description_free(image->font);
    functions.g_object_unref(image->layout);
    functions.cairo_destroy(image->cairo);
    functions.cairo_surface_destroy(image->surface);
    free(image);
}
