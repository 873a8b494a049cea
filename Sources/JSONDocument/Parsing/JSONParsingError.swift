/// The text is not valid JSON at a position.
package struct JSONParsingError: Error, Sendable, Hashable, CustomStringConvertible {
    package var position: TextPosition
    package var message: String

    package var description: String { "\(position): \(message)" }
}
