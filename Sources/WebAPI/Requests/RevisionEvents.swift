import Accounts
import HTTPEndpoints
import Hummingbird
import JSONDocument
import MediaCore
import NIOCore

/// Server-sent events that tell a device of a member what has changed. The credential is checked again before each one.
struct RevisionEvents {
    /// The content of an event.
    struct News {
        /// The revision that the device knows with it.
        var revision: Int64
        var data: JSONText
    }

    /// The name of the events.
    let name: String
    let authority: RequestAuthority

    /// - Parameters:
    ///   - request: the request.
    ///   - caller: its context.
    ///   - user: the member.
    ///   - mayListen: whether a credential that is still valid may listen; that of another member may not.
    ///   - begin: begins the stream.
    ///   - news: makes an event with what has changed after a revision; `nil` for none. The first one of a connection
    ///     tells a device that begins what it shows, also if nothing has changed.
    func response(
        to request: Request, _ caller: GatewayRequestContext, of user: UserID,
        mayListen: @escaping @Sendable (RequestIdentity) -> Bool = { _ in true },
        begin: () async throws -> RevisionStream,
        news: @escaping @Sendable (_ seen: Int64, _ isFirst: Bool) async throws -> News?
    ) async throws -> Response {
        let last = try Self.lastSeen(request)
        let stream: RevisionStream
        do {
            stream = try await begin()
        } catch let error as Refusal where [.busy, .tooMany].contains(error.code) {
            throw ServerSentEvents.refusal(error.reason)
        }
        let fields = authority.identifyingFields(in: request.headers)
        let (peer, authority, name) = (caller.remoteAddress, authority, name)
        return ServerSentEvents.response(to: request, on: caller.channel, end: stream.end) { writer in
            defer { stream.end() }
            try await writer.write(ByteBuffer(string: ServerSentEvents.beginning))
            // One that comes back is told what it has missed.
            var seen = min(last ?? stream.begunAt, stream.begunAt)
            func tell(isFirst: Bool, _ writer: inout any ResponseBodyWriter) async throws {
                guard let found = try await news(seen, isFirst) else { return }
                try await writer.write(
                    ByteBuffer(string: "id: \(found.revision)\nevent: \(name)\ndata: \(found.data.rendered)\n\n"))
                seen = found.revision
            }
            try await tell(isFirst: true, &writer)
            for await signal in stream.signals {
                let identity = try? await authority.identify(fields, from: peer)
                guard let identity, mayListen(identity), !identity.hasStaleCookie,
                    identity.caller.principal.member?.id == user
                else { return }
                if signal == .heartbeat { try await writer.write(ByteBuffer(string: ServerSentEvents.heartbeat)) }
                try await tell(isFirst: false, &writer)
            }
        }
    }

    private static func lastSeen(_ request: Request) throws -> Int64? {
        guard let field = ServerSentEvents.lastSeen(request), !field.isEmpty else { return nil }
        guard let number = Int64(field), number >= 0 else {
            throw ProblemDetails(.unprocessableContent, "Last-Event-ID must be the `id` of an event of this stream")
        }
        return number
    }
}
