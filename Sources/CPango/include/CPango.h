#pragma once

// PDF documents of text and lines, and small images with text, by cairo and pango. Nothing links the libraries: they are loaded with dlopen when the
// first one is made, and their headers are not needed to build.

#include <stddef.h>

enum { ANTENA_PDF_MESSAGE_CAPACITY = 512 };

/// Loads cairo and pango once. Returns 0, or -1 with the reason and the packages to install in `error`. May be called
/// from any thread.
int antena_pdf_load(char *error, size_t error_capacity);

/// The version of pango, such as "1.50.12". Only after antena_pdf_load has succeeded.
const char *antena_pdf_version(void);

/// A document that is being written. Belongs to one thread.
typedef struct AntenaPDF AntenaPDF;

/// Receives bytes of the document in order. Returns 0 to go on, anything else to give the document up.
typedef int (*AntenaPDFWriter)(void *context, const unsigned char *bytes, unsigned int count);

/// How a text is set. Lengths are points (1/72 inch).
typedef struct {
    /// Size of the font.
    double size;
    int is_bold;
    /// 0 at the start, 1 in the middle, 2 at the end.
    int alignment;
    /// From 0, black, to 1, white.
    double grey;
    /// Lines of each paragraph that are shown at most; the last one ends in an ellipsis.
    int maximum_line_count;
} AntenaPDFStyle;

/// Begins a document whose pages have a size in points. Only after antena_pdf_load has succeeded; NULL if there is no
/// memory.
///
/// `title` is what a reader shows, and `language` a tag such as "es", which selects among the forms of Han characters.
AntenaPDF *antena_pdf_create(
    double width, double height, const char *title, const char *language, AntenaPDFWriter write, void *context
);

/// The height of a text in UTF-8 that is broken into lines of a width.
double antena_pdf_measure(AntenaPDF *document, const char *text, AntenaPDFStyle style, double width);

/// Writes a text whose upper left corner is at `x` and `y`, and nothing outside its width and `height`.
void antena_pdf_show(
    AntenaPDF *document, const char *text, AntenaPDFStyle style, double x, double y, double width, double height
);

/// Draws a horizontal line.
void antena_pdf_line(AntenaPDF *document, double x, double y, double width, double thickness, double grey);

/// Ends a page; what is drawn next is on another one.
void antena_pdf_end_page(AntenaPDF *document);

/// Writes the end of the document and frees it. Returns 0, or -1 with the reason in `error`.
int antena_pdf_finish(AntenaPDF *document, char *error, size_t error_capacity);

/// An image that is being drawn, transparent at first. Belongs to one thread.
typedef struct AntenaImage AntenaImage;

/// A colour; each part is from 0 to 1.
typedef struct {
    double red, green, blue, alpha;
} AntenaColor;

/// How a line of text is set. Lengths are pixels.
typedef struct {
    /// Size of the font.
    double size;
    int is_bold;
    /// 0 at the start, 1 in the middle, 2 at the end.
    int alignment;
    AntenaColor color;
} AntenaImageStyle;

/// Begins an image. Only after antena_pdf_load has succeeded; NULL if there is no memory. `language` is a tag such as
/// "es", which selects among the forms of Han characters.
AntenaImage *antena_image_create(int width, int height, const char *language);

/// The width of a line of text in UTF-8.
double antena_image_measure(AntenaImage *image, const char *text, AntenaImageStyle style);

/// Writes a line in the vertical middle of a box, and nothing outside it; a line that is too long ends in an ellipsis.
void antena_image_show(
    AntenaImage *image, const char *text, AntenaImageStyle style, double x, double y, double width, double height
);

/// Fills a rectangle.
void antena_image_fill(AntenaImage *image, AntenaColor color, double x, double y, double width, double height);

/// Draws a disc around a point.
void antena_image_dot(AntenaImage *image, AntenaColor color, double x, double y, double radius);

/// The pixels, each a 32-bit number in the machine's byte order with alpha in its upper byte, red, green and blue, which
/// are multiplied by alpha; `stride` is the distance of two rows in bytes. NULL if something could not be drawn. They
/// are valid until the image is destroyed.
const unsigned char *antena_image_pixels(AntenaImage *image, int *stride);

void antena_image_destroy(AntenaImage *image);
