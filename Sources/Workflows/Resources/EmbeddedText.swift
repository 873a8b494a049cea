/// A text file of a target's resources, as it is served.
package enum EmbeddedText {
    /// Returns the text without the newline at its end, which only editors need.
    package static func text(_ file: [UInt8]) -> String {
        String(decoding: file.last == UInt8(ascii: "\n") ? file.dropLast() : file[...], as: UTF8.self)
    }
}
