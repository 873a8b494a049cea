import Accounts

/// The addresses to which one publisher pushes with a new link. All contain its secret.
package struct PublishLinkAddresses: Sendable, Hashable {
    /// An RTSP URL; a path if the server does not know its own address.
    package var rtsp: String
    /// An RTMP URL, whose last part is the stream key; `nil` without a listener, or without an address.
    package var rtmp: String?
    /// An SRT URL, with the passphrase; `nil` without a listener, or without an address.
    package var srt: String?

    /// - Parameters:
    ///   - new: the link.
    ///   - host: the server's address, in brackets if it is one of IPv6; `nil` if it is not known.
    ///   - ports: the ports.
    package init(_ new: NewPublishLink, host: String?, _ ports: PublishingPorts) {
        let (channel, secret) = (new.link.channel, new.secret.text)
        let path = "/live/\(channel).stream?token=\(secret)"
        guard let host else {
            rtsp = path
            return
        }
        rtsp = "rtsp://\(host):\(ports.rtsp())\(path)"
        rtmp = ports.rtmp().map { "rtmp://\(host):\($0)\(path)" }
        srt = ports.srt().map {
            "srt://\(host):\($0)?streamid=publish:\(channel)?link=\(secret)&passphrase=\(new.passphrase)"
        }
    }
}
