import LibAV

/// A stream that was left out of a conversion, and the reason.
package struct LeftOutStream: Sendable, Hashable, CustomStringConvertible {
    /// The stream's position in the file.
    package var index: Int
    /// libav's name of the codec.
    package var codecName: String
    /// The language code; `nil` if the file does not say.
    package var language: String?
    /// Why the stream was left out, in human-readable form.
    package var reason: String

    init(_ info: StreamInfo, reason: String) {
        index = info.index
        codecName = info.codecName
        language = info.language
        self.reason = reason
    }

    package var description: String {
        "stream \(index) (\(([codecName] + [language].compactMap(\.self)).joined(separator: ", "))): \(reason)"
    }
}
