/// An ID3v2.4 tag with a single user-defined text frame (TXXX; id3.org, id3v2.4.0-structure §3 and id3v2.4.0-frames
/// §4.2.6).
package struct ID3Tag: Sendable, Hashable {
    /// Names the value. Neither the description nor the value holds a null character.
    package var description: String
    package var value: String

    package init(description: String, value: String) {
        self.description = description
        self.value = value
    }

    private static let utf8Encoding: UInt8 = 3

    /// The bytes of the whole tag.
    package func rendered() -> [UInt8] {
        let text = [Self.utf8Encoding] + Array(description.utf8) + [0] + Array(value.utf8)
        let frame = Array("TXXX".utf8) + Self.synchsafe(text.count) + [0, 0] + text
        return Array("ID3".utf8) + [4, 0, 0] + Self.synchsafe(frame.count) + frame
    }

    /// Encodes a size with seven bits per byte (id3v2.4.0-structure §6.2).
    private static func synchsafe(_ value: Int) -> [UInt8] {
        [21, 14, 7, 0].map { UInt8(truncatingIfNeeded: value >> $0) & 0x7F }
    }
}
