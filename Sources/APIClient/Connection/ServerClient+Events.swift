import Foundation
import MediaCore

extension ServerClient {
    /// Pause before a connection that was lost is made again.
    private static let reconnectionDelay = Duration.seconds(2)

    /// Listens to events until the task is cancelled. A connection that is lost is made again, and goes on after the
    /// last event.
    ///
    /// - Parameters:
    ///   - types: names or groups of types; empty for all.
    ///   - resource: a kind and a name, such as `channel/canalA`; `nil` for all.
    ///   - last: the last event that was seen; `nil` begins with what happens from now on.
    ///   - body: receives each event.
    /// - Throws: ``ServerClientError`` if the first connection fails, or if the server refuses; errors of `body`.
    package func events(
        types: [String] = [], resource: String? = nil, after last: String? = nil,
        _ body: (EventStreamParser.Event) throws -> Void
    ) async throws {
        var parameters = types.isEmpty ? [] : ["types=\(types.map(Self.escaped).joined(separator: ","))"]
        if let resource { parameters.append("resource=\(Self.escaped(resource))") }
        var last = last
        var hasConnected = false
        while !Task.isCancelled {
            let query = (parameters + (last.map { ["after=\(Self.escaped($0))"] } ?? [])).joined(separator: "&")
            do {
                try await stream("/api/v1/events\(query.isEmpty ? "" : "?\(query)")") { events, id in
                    hasConnected = true
                    for event in events { try body(event) }
                    last = id ?? last
                }
            } catch let error as ServerClientError where !hasConnected || !error.isTemporary {
                throw error
            } catch is ServerClientError {
                // The server is away, and comes back.
            }
            try await Task.sleep(for: Self.reconnectionDelay)
        }
    }
}
