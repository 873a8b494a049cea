import Accounts
package import Events
package import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import NIOCore

/// `/api/v1/events`: what happens, as server-sent events (HTML Standard §9.2).
package struct EventEndpoints: Sendable {
    /// `nil` for a server without a journal.
    let journal: EventJournal?
    /// Finds out who listens, again for each event: somebody whose session or token has ended is not told any more.
    private let authority: RequestAuthority?

    /// - Parameters:
    ///   - journal: the journal; `nil` for a server without one.
    ///   - authority: finds out who listens.
    package init(journal: EventJournal?, authority: RequestAuthority?) {
        (self.journal, self.authority) = (journal, authority)
    }

    private static let path = "/api/v1/events"
    /// Limit of the types that a listener names.
    private static let maximumTypeCount = 32

    var endpoints: [Endpoint] {
        [
            Endpoint(
                .get, Self.path, .filters(reason: "a listener is told of what it may read, event by event"),
                handler: listen)
        ]
    }

    private func listen(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        guard let journal, let authority else {
            throw ProblemDetails(.notFound, "this server has no journal of events")
        }
        let filter = try Self.filter(request)
        let last = try Self.lastSeen(request)
        let listener: EventListener
        do {
            listener = try journal.listen(by: AddressGroup(context.remoteAddress))
        } catch {
            throw ServerSentEvents.refusal(error.reason)
        }
        let audience = EventAudience(
            authority: authority, fields: request.headers, peer: context.remoteAddress, filter: filter)
        return ServerSentEvents.response(to: request, end: listener.end) { writer in
            try await Self.tell(listener, journal, audience, after: last, writer: &writer)
        }
    }

    private static func filter(_ request: Request) throws -> EventFilter {
        var filter = EventFilter()
        if let text = PageRequest.value(of: "types", in: request), !text.isEmpty {
            let types = text.split(separator: ",").map(String.init)
            guard types.count <= maximumTypeCount, types.allSatisfy(EventFilter.isType) else {
                throw ProblemDetails(
                    .unprocessableContent,
                    "\"types\" must be names such as channel.up, or groups such as channel, separated by commas: "
                        + EventType.allCases.map(\.rawValue).joined(separator: ", "))
            }
            filter.types = Set(types)
        }
        if let text = PageRequest.value(of: "resource", in: request), !text.isEmpty {
            filter.subject = try EventSubject(parsing: text, of: "resource")
        }
        return filter
    }

    /// The last event that the client has seen: the header, or the parameter for clients that cannot set it.
    private static func lastSeen(_ request: Request) throws -> Int64? {
        let field = ServerSentEvents.lastSeen(request) ?? PageRequest.value(of: "after", in: request)
        guard let field, !field.isEmpty else { return nil }
        guard let number = Int64(field), number >= 0 else {
            throw ProblemDetails(.unprocessableContent, "Last-Event-ID must be the number of an event")
        }
        return number
    }

    private static func tell(
        _ listener: EventListener, _ journal: EventJournal, _ audience: EventAudience, after last: Int64?,
        writer: inout any ResponseBodyWriter
    ) async throws {
        defer { listener.end() }
        try await writer.write(ByteBuffer(string: ServerSentEvents.beginning))
        var seen = last ?? listener.begunAt
        var isFirst = true
        while seen < listener.begunAt {
            let (events, hasGap) = try await journal.missed(after: seen, through: listener.begunAt)
            // A listener that keeps a state of its own has to read it again.
            if hasGap, isFirst { try await writer.write(ByteBuffer(string: "event: missed\ndata: {}\n\n")) }
            isFirst = false
            guard let newest = events.last else { break }
            seen = newest.number
            guard let texts = await audience.texts(of: events) else { return }
            if !texts.isEmpty { try await writer.write(ByteBuffer(string: texts)) }
        }
        // The journal ends all listeners when the server stops. Each wrapping of the stream would cost three tasks and as
        // many switches for each listener and event.
        for await message in listener.messages {
            switch message {
            case .event(let event):
                guard event.number > seen else { continue }
                guard let texts = await audience.texts(of: [event]) else { return }
                if !texts.isEmpty { try await writer.write(ByteBuffer(string: texts)) }
            case .heartbeat:
                guard await audience.texts(of: []) != nil else { return }
                try await writer.write(ByteBuffer(string: ServerSentEvents.heartbeat))
            }
        }
    }
}
