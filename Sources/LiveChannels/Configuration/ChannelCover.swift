/// The image of a channel.
package enum ChannelCover: Sendable, Hashable {
    /// A JPEG or PNG file: a path below the media folder, or an absolute path.
    case file(String)
    /// An `https` address of another server, from which browsers fetch it; see ``isAddress(_:)``.
    case address(String)

    /// - Parameter text: a path, or an `https` address.
    package init(_ text: String) { self = text.contains("://") ? .address(text) : .file(text) }

    /// The address of the image for browsers.
    ///
    /// - Parameter channel: the channel's name.
    func url(ofChannel channel: String) -> String {
        switch self {
        case .file: "/live/\(channel)/cover"
        case .address(let address): address
        }
    }

    /// Returns whether a text is an `https` address with a host name, in ASCII, which can be part of a header field.
    package static func isAddress(_ text: String) -> Bool { origin(ofAddress: text) != nil }

    /// The origin of an address, such as `https://example.org`; `nil` if it is not an `https` address.
    package static func origin(ofAddress text: String) -> String? {
        text.wholeMatch(of: /(https:\/\/[A-Za-z0-9.\-]+(:[0-9]{1,5})?)([\/?#][!-~]*)?/).map { String($0.1) }
    }
}
