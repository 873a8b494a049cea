import CPango

/// A document of cairo, whose pages are A4. Lengths are points.
final class PDFCanvas {
    /// ISO 216: 210 × 297 mm.
    static let width = 595.276
    static let height = 841.89

    private let output: PDFOutput
    /// `nil` once the document is finished.
    private var document: OpaquePointer?

    /// - Throws: ``PDFError``
    init(title: String, language: String, output: PDFOutput) throws(PDFError) {
        self.output = output
        let write: AntenaPDFWriter = { context, bytes, count in
            guard let context else { return -1 }
            let output = Unmanaged<PDFOutput>.fromOpaque(context).takeUnretainedValue()
            // cairo_status_t: 0 is success, and 11 a write error.
            return output.append(UnsafeBufferPointer(start: bytes, count: Int(count))) ? 0 : 11
        }
        document = antena_pdf_create(
            Self.width, Self.height, title, language, write, Unmanaged.passUnretained(output).toOpaque())
        guard document != nil else { throw PDFError(.failed, "there is no memory for the document") }
    }

    deinit { if let document { _ = antena_pdf_finish(document, nil, 0) } }

    func height(of text: String, _ style: AntenaPDFStyle, width: Double) -> Double {
        text.isEmpty ? 0 : antena_pdf_measure(document, text, style, width)
    }

    func show(_ text: String, _ style: AntenaPDFStyle, x: Double, y: Double, width: Double, height: Double) {
        antena_pdf_show(document, text, style, x, y, width, height)
    }

    func line(x: Double, y: Double, width: Double, thickness: Double, grey: Double) {
        antena_pdf_line(document, x, y, width, thickness, grey)
    }

    func endPage() { antena_pdf_end_page(document) }

    /// Writes the end of the document.
    ///
    /// - Throws: ``PDFError``
    func finish() throws(PDFError) {
        guard let document else { return }
        self.document = nil
        var message = [CChar](repeating: 0, count: Int(ANTENA_PDF_MESSAGE_CAPACITY))
        guard antena_pdf_finish(document, &message, message.count) != 0 else { return }
        throw output.isTooLarge
            ? PDFError(.tooLarge, "the document is too large; choose fewer rows") : PDFError(.failed, message.text)
    }
}
