import HTTPTypes
import NIOCore

extension MediaAnswer {
    /// The same answer for one viewer only: no shared cache keeps it.
    var forOneViewer: MediaAnswer { changingFields { $0.forOneViewer } }

    /// The same answer, which caches keep only as long as the signature in its path is valid.
    ///
    /// - Parameter seconds: the time that is left.
    func cached(atMost seconds: Int64) -> MediaAnswer { changingFields { $0.cached(atMost: seconds) } }

    /// The same answer with other header fields.
    ///
    /// - Parameter change: `nil` leaves the fields as they are.
    private func changingFields(_ change: @escaping @Sendable (HTTPFields) -> HTTPFields?) -> MediaAnswer {
        switch self {
        case .response(let response): .response(response.changingFields(change))
        case .held(let response, let holding): .held(response.changingFields(change), holding)
        case .pending(let answer, let cancel, let waitsForMedia):
            .pending(answer.map { $0.changingFields(change) }, cancel: cancel, waitsForMedia: waitsForMedia)
        case .file(let transfer): .file(transfer.changingFields(change))
        case .growing(let segment): .growing(segment.changingFields(change))
        }
    }
}

extension MediaResponse {
    fileprivate func changingFields(_ change: (HTTPFields) -> HTTPFields?) -> MediaResponse {
        guard let fields = change(head.headerFields) else { return self }
        var response = self
        response.head.headerFields = fields
        response.encoded = nil
        return response
    }
}

extension GrowingSegment {
    fileprivate func changingFields(_ change: (HTTPFields) -> HTTPFields?) -> GrowingSegment {
        var segment = self
        segment.head.headerFields = change(head.headerFields) ?? head.headerFields
        return segment
    }
}

extension FileTransfer {
    fileprivate func changingFields(_ change: (HTTPFields) -> HTTPFields?) -> FileTransfer {
        guard let fields = change(head.headerFields) else { return self }
        var transfer = self
        transfer.head.headerFields = fields
        return transfer
    }
}

extension HTTPFields {
    /// With what keeps shared caches from storing the response (RFC 9111 §5.2.2.7).
    fileprivate var forOneViewer: HTTPFields {
        var fields = self
        fields[.cacheControl] = CachePolicy.forOneViewer(fields[.cacheControl] ?? "")
        return fields
    }

    /// With a `max-age` of at most a time; `nil` if it is no longer than that already.
    fileprivate func cached(atMost seconds: Int64) -> HTTPFields? {
        guard let control = first(.cacheControl) else { return nil }
        if control == CachePolicy.media {
            guard seconds < CachePolicy.immutableSeconds else { return nil }
            // Most segments have this value, so it is not taken apart for each.
            return replacingCacheControl(CachePolicy.media(seconds: seconds))
        } else if seconds >= Self.longestOtherAge {
            return nil
        }
        let directives = control.split(separator: ",").map { directive in
            let directive = directive.filter { $0 != " " }
            guard directive.hasPrefix("max-age="), let age = Int64(directive.dropFirst("max-age=".count)),
                age > seconds
            else { return directive }
            return "max-age=\(seconds)"
        }
        return replacingCacheControl(directives.joined(separator: ", "))
    }

    private func replacingCacheControl(_ value: String) -> HTTPFields {
        var fields = self
        // By position: the first change by name makes a dictionary of all names.
        if let position = fields.indices.first(where: { fields[$0].name == .cacheControl }) {
            fields[position].value = value
        }
        return fields
    }

    /// The longest time in seconds for which caches keep what may change.
    private static let longestOtherAge: Int64 = 60
}
