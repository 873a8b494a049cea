package import JSONDocument

/// A domain's data about a member, as a part of the export of the member's data.
package struct ExportChapter: Sendable {
    /// A field of the export's document, and a file of its archive.
    package enum Area: Sendable {
        /// A field, and a file with the name and `.json`.
        case both(name: String, JSONText)
        /// A file with the name and `.json`; what it says stands elsewhere in the document.
        case file(name: String, JSONText)
        /// A field with bytes in base64, or `null`, and a file with another name.
        case bytes(name: String, fileName: String, [UInt8]?)
    }

    package let areas: [Area]
    /// The name of the text that says what the areas hold, among the `chapters` of the section `export` of the texts.
    package let text: String

    /// - Parameters:
    ///   - areas: what is known. What there is of each is limited, so that it is made in memory.
    ///   - text: see ``text``.
    package init(_ areas: [Area], text: String) { (self.areas, self.text) = (areas, text) }

    /// The names of the chapter's files.
    var fileNames: [String] {
        areas.map { area in
            switch area {
            case .both(let name, _), .file(let name, _): "\(name).json"
            case .bytes(_, let fileName, _): fileName
            }
        }
    }
}
