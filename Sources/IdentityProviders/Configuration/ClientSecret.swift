/// The secret with which the server shows a provider who it is. Interpolated and dumped values do not show it.
package struct ClientSecret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    let text: String

    /// Limit of the text; providers issue some dozen letters.
    package static let maximumByteCount = 1_000

    /// - Returns: `nil` if the text is empty or too long, or has a control character.
    package init?(_ text: String) {
        guard (1...Self.maximumByteCount).contains(text.utf8.count),
            !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F })
        else { return nil }
        self.text = text
    }

    package var description: String { "client secret" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
