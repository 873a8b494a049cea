import APIDeclarations
import Accounts
package import Events
package import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import NIOCore
package import Webhooks

/// `/api/v1/events`: what happens, as server-sent events (HTML Standard §9.2).
package struct EventEndpoints: Sendable {
    private let journal: EventJournal
    /// The events that there are, and who may hear them.
    private let kinds: EventKinds
    /// Finds out who listens, again for each event: somebody whose session or token has ended is not told any more.
    private let authority: RequestAuthority
    /// Takes the connections of listeners; `nil` leaves them where they are.
    private let crowd: EventCrowd?

    /// - Parameters:
    ///   - journal: the journal.
    ///   - kinds: the events that there are, and who may hear them.
    ///   - authority: finds out who listens.
    ///   - crowd: takes the connections of listeners; `nil` leaves them where they are.
    package init(
        journal: EventJournal, kinds: EventKinds, authority: RequestAuthority, crowd: EventCrowd? = nil
    ) {
        (self.journal, self.kinds, self.authority, self.crowd) = (journal, kinds, authority, crowd)
    }

    /// Limit of the types that a listener names.
    private static let maximumTypeCount = 32

    package var endpoints: [Endpoint] {
        [
            Endpoint(
                EventAPI.streamEvents,
                .filtersChannels(reason: "each event is checked against the listener's permissions"),
                handler: listen)
        ]
    }

    private func listen(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let filter = try filter(request)
        let last = try Self.lastSeen(request)
        let listener: EventListener
        do {
            listener = try journal.listen(by: context.caller.origin.group)
        } catch {
            throw ServerSentEvents.refusal(error.reason)
        }
        let audience = EventAudience(
            authority: authority, kinds: kinds, fields: request.headers, peer: context.remoteAddress, filter: filter)
        var entrance: EventCrowd.Entrance?
        if let crowd, await ConnectionTakeover.isPossible(context.channel) {
            entrance = EventCrowd.Entrance(crowd: crowd, channel: context.channel)
        }
        return ServerSentEvents.response(
            to: request, on: context.channel, closesConnection: entrance != nil, end: listener.end
        ) { [entrance] writer in
            try await Self.tell(listener, journal, audience, after: last, entrance: entrance, writer: &writer)
        }
    }

    private func filter(_ request: Request) throws -> EventFilter {
        var filter = EventFilter()
        if let text = PageRequest.value(of: "types", in: request), !text.isEmpty {
            let types = text.split(separator: ",").map(String.init)
            guard types.count <= Self.maximumTypeCount, types.allSatisfy(kinds.isType) else {
                throw ProblemDetails(
                    .unprocessableContent,
                    "\"types\" must be names such as channel.up, or groups such as channel, separated by commas: "
                        + kinds.typeList)
            }
            filter.types = Set(types)
        }
        if let text = PageRequest.value(of: "resource", in: request), !text.isEmpty {
            filter.subject = try EventSubject(parsing: text, among: kinds, of: "resource")
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

    /// Tells a listener of events until it leaves, or until the crowd has taken its connection.
    private static func tell(
        _ listener: EventListener, _ journal: EventJournal, _ audience: EventAudience, after last: Int64?,
        entrance: EventCrowd.Entrance?, writer: inout any ResponseBodyWriter
    ) async throws {
        defer { listener.end() }
        try await writer.write(ByteBuffer(string: ServerSentEvents.beginning))
        var seen = last ?? listener.begunAt
        guard try await tellMissed(after: seen, through: listener.begunAt, journal, audience, writer: &writer) else {
            return
        }
        seen = max(seen, listener.begunAt)
        var entrance = entrance
        // The journal ends all listeners when the server stops. Each wrapping of the stream would cost three tasks and
        // as many switches for each listener and event.
        var messages = listener.messages.makeAsyncIterator()
        while true {
            switch await entrance?.enter(audience, after: seen, listener) {
            case .taken: return
            // What the crowd has told already is among the messages. They come at least with each heartbeat.
            case .declined: break
            case .impossible, nil: entrance = nil
            }
            guard let message = await messages.next() else { return }
            switch message {
            case .event(let event):
                guard event.number > seen else { continue }
                seen = event.number
                guard let texts = await audience.texts(of: [event]) else { return }
                if !texts.isEmpty { try await writer.write(ByteBuffer(string: texts)) }
            case .heartbeat:
                guard await audience.texts(of: []) != nil else { return }
                try await writer.write(ByteBuffer(string: ServerSentEvents.heartbeat))
            }
        }
    }

    /// Tells a listener that comes back what it has missed.
    ///
    /// - Returns: false if it may not listen any more.
    private static func tellMissed(
        after number: Int64, through last: Int64, _ journal: EventJournal, _ audience: EventAudience,
        writer: inout any ResponseBodyWriter
    ) async throws -> Bool {
        var seen = number
        while seen < last {
            let (events, hasGap) = try await journal.missed(after: seen, through: last)
            if hasGap, seen == number { try await writer.write(ByteBuffer(string: ServerSentEvents.missed)) }
            guard let newest = events.last else { break }
            seen = newest.number
            guard let texts = await audience.texts(of: events) else { return false }
            if !texts.isEmpty { try await writer.write(ByteBuffer(string: texts)) }
        }
        return true
    }
}
