/// The source of a channel, or one of its copies.
package struct RelayIdentifier: Sendable, Hashable, CustomStringConvertible {
    package enum Kind: Sendable, Hashable {
        case source
        /// - Parameter number: the position in `restreams`, from 1.
        case restream(number: Int)
    }

    package let channel: String
    package let kind: Kind

    package init(channel: String, kind: Kind) { (self.channel, self.kind) = (channel, kind) }

    /// - Parameters:
    ///   - channel: the channel's name.
    ///   - text: `source`, or `restream-1`.
    /// - Returns: `nil` for any other text.
    package init?(channel: String, text: String) {
        self.channel = channel
        if text == "source" {
            kind = .source
        } else if text.hasPrefix("restream-"), let number = Int(text.dropFirst("restream-".count)), number > 0 {
            kind = .restream(number: number)
        } else {
            return nil
        }
    }

    /// The name within the channel.
    package var description: String {
        switch kind {
        case .source: "source"
        case .restream(let number): "restream-\(number)"
        }
    }
}
