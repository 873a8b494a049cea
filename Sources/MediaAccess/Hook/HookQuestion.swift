import Crypto
package import JSONDocument

/// The question to an authorization hook, with the fields of MediaMTX's, so that hooks written for it work unchanged.
package struct HookQuestion: Sendable, Hashable {
    /// The requested action.
    package enum Action: String, Sendable, Hashable {
        case publish, read
    }

    /// How they want to do it.
    package enum MediaProtocol: String, Sendable, Hashable {
        case hls, rtsp
    }

    package var action: Action
    package var mediaProtocol: MediaProtocol
    /// The path of the media without the slash in front, such as `live/canalA.stream`.
    package var path: String
    package var user = ""
    package var password = ""
    package var token = ""
    /// The query without the question mark.
    package var query = ""
    package var address: String
    package var userAgent = ""

    /// Limit of each text. What is longer is not asked about.
    package static let maximumTextByteCount = 8 * 1_024

    /// - Parameters:
    ///   - action: what somebody wants to do.
    ///   - mediaProtocol: how.
    ///   - path: the path of the media without the slash in front.
    ///   - address: the client's address.
    package init(_ action: Action, _ mediaProtocol: MediaProtocol, path: String, address: String) {
        (self.action, self.mediaProtocol, self.path, self.address) = (action, mediaProtocol, path, address)
    }

    var isShort: Bool {
        [path, user, password, token, query, address, userAgent].allSatisfy {
            $0.utf8.count <= Self.maximumTextByteCount
        }
    }

    /// The key of an answer: as long for a long question as for a short one.
    struct Digest: Hashable, Sendable {
        fileprivate var bytes: SHA256.Digest
    }

    /// Another program on the same device is the same viewer, so the user agent does not count.
    var digest: Digest {
        let texts = [action.rawValue, mediaProtocol.rawValue, path, user, password, token, query, address]
        // Lengths tell where a text ends, whatever is in it.
        let whole = texts.map { "\($0.utf8.count):\($0)" }.joined()
        return Digest(bytes: SHA256.hash(data: Array(whole.utf8)))
    }

    /// The body of the request.
    ///
    /// - Parameter id: names the session in the hook's log.
    package func json(id: String) -> JSONText {
        .object([
            ("user", .string(user)), ("password", .string(password)), ("token", .string(token)),
            ("ip", .string(address)), ("action", .string(action.rawValue)), ("path", .string(path)),
            ("protocol", .string(mediaProtocol.rawValue)), ("id", .string(id)), ("query", .string(query)),
            ("userAgent", .string(userAgent)),
        ])
    }
}
