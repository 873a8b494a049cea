import CPango

/// cairo and pango, which are loaded when they are first needed.
package enum PDFLibraries {
    /// Loads the libraries; may block.
    ///
    /// - Throws: ``PDFError`` with the packages to install.
    package static func load() throws(PDFError) {
        var message = [CChar](repeating: 0, count: Int(ANTENA_PDF_MESSAGE_CAPACITY))
        guard antena_pdf_load(&message, message.count) == 0 else {
            throw PDFError(.librariesMissing, message.text)
        }
    }

    /// The version of pango. Call it after ``load()`` only.
    package static var version: String { String(cString: antena_pdf_version()) }

    /// The folders of fonts and of their configuration, which are all that the libraries read.
    package static let readableFolders = [
        "/etc/fonts", "/usr/share/fontconfig", "/usr/share/fonts", "/usr/local/share/fonts", "/var/cache/fontconfig",
    ]
}

extension [CChar] {
    /// The characters before the final zero.
    var text: String { String(decoding: prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) }
}
