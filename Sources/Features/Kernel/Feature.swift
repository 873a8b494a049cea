package import Accounts
package import Community
package import Database
package import HTTPEndpoints
package import HTTPTypes
package import WebAPI
package import ServerSettings
package import ServiceLifecycle
package import WebSite
package import Webhooks

/// The part of a server that one domain contributes. Everything that a domain adds stands in its feature, and
/// everything that serves all domains goes through ``Features``: the router, the database's maintenance, reloads, the
/// metrics, the export of a member's data, the deletion of an account, and the server of the tests.
///
/// A feature that is off does not exist: its paths are answered by the router's 404.
package protocol Feature: Sendable {
    /// The tables of the domain, with the way to them from older versions.
    static var schemas: [SQLSchema] { get }

    /// The kinds of events of the domain, each with the rule of who may hear it.
    static var events: [EventKind] { get }

    /// Opens the domain for a server that starts.
    ///
    /// - Parameters:
    ///   - ground: what it is opened on.
    ///   - parts: the domains that were opened before, to which this one is added.
    /// - Throws: `SQLError` if the database has a newer version or cannot be used, and errors of the domain.
    static func open(on ground: Ground, _ parts: inout Parts) async throws

    /// - Parameter station: the server.
    /// - Returns: `nil` if the feature is off.
    init?(_ station: Station)

    /// The endpoints of the API, and other endpoints for programs.
    var endpoints: [Endpoint] { get }

    /// The endpoints of pages.
    ///
    /// - Parameter frame: the account pages, whose forms look the same.
    func pages(_ frame: AccountPages) -> [Endpoint]

    /// The links to the domain's pages on the page of a member's account.
    var accountLinks: [AccountPageLink] { get }

    /// Notes what each page shows besides its own content, such as the number of unread notifications.
    ///
    /// - Parameters:
    ///   - page: the request for a page, whose sender is known.
    ///   - fields: its header.
    func prepare(_ page: inout GatewayRequestContext, _ fields: HTTPFields) async

    /// The services that run while the server runs.
    ///
    /// - Parameter ground: what the domain was opened on.
    func services(on ground: Ground) -> [any Service]

    /// The domain's metrics. What the database does not tell at the moment is left out.
    func metrics() async -> [MetricFamily]

    /// The domain's data about a member.
    func export(of member: ExportedMember) async throws -> [ExportChapter]

    /// The uploads whose files are in the archive with a member's data.
    func uploads(of member: Caller) async throws -> [MemberUpload]

    /// Deletes what the domain knows about a member, in the transaction that deletes the account.
    func forget(_ user: UserID, _ db: any SQLConnection) throws

    /// Ends what a member's credentials have set up, in the transaction that ends them.
    func endCredentials(of user: UserID, _ db: any SQLConnection) throws

    /// Uses the settings of a file that was loaded again.
    ///
    /// - Parameters:
    ///   - file: a `channels.json` without mistakes.
    ///   - configuration: the server's own settings, which stay.
    func use(_ file: ChannelsFile, _ configuration: ServerConfiguration)

    /// Writes what is left when everything has stopped.
    func finish() async throws
}

extension Feature {
    package static var schemas: [SQLSchema] { [] }
    package static var events: [EventKind] { [] }
    package static func open(on ground: Ground, _ parts: inout Parts) async throws {}
    package var endpoints: [Endpoint] { [] }
    package func pages(_ frame: AccountPages) -> [Endpoint] { [] }
    package var accountLinks: [AccountPageLink] { [] }
    package func prepare(_ page: inout GatewayRequestContext, _ fields: HTTPFields) async {}
    package func services(on ground: Ground) -> [any Service] { [] }
    package func metrics() async -> [MetricFamily] { [] }
    package func export(of member: ExportedMember) async throws -> [ExportChapter] { [] }
    package func uploads(of member: Caller) async throws -> [MemberUpload] { [] }
    package func forget(_ user: UserID, _ db: any SQLConnection) throws {}
    package func endCredentials(of user: UserID, _ db: any SQLConnection) throws {}
    package func use(_ file: ChannelsFile, _ configuration: ServerConfiguration) {}
    package func finish() async throws {}
}
