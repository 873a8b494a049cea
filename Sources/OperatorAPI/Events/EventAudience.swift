import Accounts
import Events
import HTTPEndpoints
import HTTPTypes
import NIOCore
import Webhooks

/// Somebody who listens to events: what they want, and what they may be told of.
struct EventAudience: Sendable {
    let authority: RequestAuthority
    /// The header of the request, with its credential.
    let fields: HTTPFields
    let peer: SocketAddress?
    let filter: EventFilter

    /// The events of a list that the listener wants and may be told of, in the format of `text/event-stream`.
    ///
    /// - Returns: `nil` if the credential of the listener has ended, or if there are events and it cannot be checked; the
    ///   listener comes back and gets them then. One who gets nothing stays while the database is away.
    func texts(of events: [Event]) async -> String? { await allowed(of: events)?.map(\.text).joined() }

    /// The events of a list that the listener wants and may be told of.
    ///
    /// - Returns: `nil` like ``texts(of:)``.
    func allowed(of events: [Event]) async -> [Event]? {
        let identity: RequestIdentity
        do {
            identity = try await authority.identify(fields, from: peer)
        } catch is ProblemDetails {
            return nil
        } catch {
            return events.isEmpty ? [] : nil
        }
        guard !identity.hasStaleCookie else { return nil }
        let visibility = EventVisibility(
            identity.caller.principal, permissions: identity.permissions, audiences: identity.audiences)
        return events.filter { filter.includes($0) && visibility.includes($0.subject) }
    }

    /// The same audience with as much of the header as it needs, for a long time.
    func identified(by authority: RequestAuthority) -> EventAudience {
        EventAudience(
            authority: authority, fields: authority.identifyingFields(in: fields), peer: peer, filter: filter)
    }
}
