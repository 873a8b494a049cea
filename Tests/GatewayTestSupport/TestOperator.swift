package import APIContract
package import Accounts
package import Community
package import HLSDelivery
package import HTTPEndpoints
package import Idempotency
import Logging
import LiveChannels
package import MediaAccess
package import MediaCore
import NIOPosix
package import Notifications
import OperatorAPI
import WebSite
package import VideoClub
package import Webhooks

/// The operator token used by tests.
package enum TestOperator {
    package static let token = OperatorToken()
    package static let authorization = "Bearer \(token.text)"

    package static func authority(
        _ accounts: Accounts? = nil, publicAddress: PublicAddress? = nil
    ) -> RequestAuthority {
        RequestAuthority(
            token: token, accounts: accounts, publicAddress: publicAddress,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }
}

extension EndpointTable {
    /// The endpoints of the API and the site.
    ///
    /// - Parameters:
    ///   - authority: finds out who sends a request; the default knows the token of ``TestOperator`` only.
    ///   - mailer: sends mail; `nil` if the server cannot.
    ///   - reloader: reloads the configuration; `nil` if it cannot be reloaded.
    ///   - links: the links to media; `nil` for a server without any.
    ///   - audiences: the audiences of single titles and tracks; `nil` for a server without any.
    ///   - delivery: decides who may watch; `nil` for a server without media.
    ///   - idempotencyKeys: remembers requests with an `Idempotency-Key`; `nil` for a server that does not.
    ///   - webhooks: the receivers of events; `nil` for a server without any.
    ///   - community: what members do together; `nil` for a server without a community.
    ///   - notifications: what members are told; `nil` for a server that tells them nothing.
    ///   - pushKey: the public key for browsers that want push messages; `nil` for a server that sends none.
    package static func serving(
        _ content: any ContentSource, presets: [QualityPreset] = [],
        authority: RequestAuthority = TestOperator.authority(), mailer: (any AccountMailer)? = nil,
        reloader: (any ChannelsReloading)? = nil, links: MediaLinks? = nil, audiences: TitleAudiences? = nil,
        delivery: MediaDelivery? = nil, idempotencyKeys: IdempotencyKeys? = nil, webhooks: Webhooks? = nil,
        club: VideoClub? = nil, community: Community? = nil, notifications: Notifications? = nil,
        pushKey: String? = nil, rtspPort: Int = 8_554
    ) -> EndpointTable {
        let notificationPages: (AccountPages) -> [Endpoint] = { pages in
            guard let notifications else { return [] }
            return NotificationPages(pages: pages, notifications: notifications, pushKey: pushKey).endpoints
        }
        var unreadCount: EndpointTable.UnreadCount?
        if let notifications { unreadCount = { user in try? await notifications.unreadCount(of: user) } }
        return EndpointTable(
            OperatorEndpoints(
                accounts: authority.accounts, publicAddress: authority.publicAddress, mailer: mailer, content: content,
                presets: { presets }, titleKeys: nil, reloader: reloader, mediaStore: nil,
                threadPool: .singleton, links: links, audiences: audiences, delivery: delivery,
                webhooks: webhooks, club: club, community: community,
                notifications: NotificationEndpoints(
                    notifications: notifications, authority: authority, pushKey: pushKey),
                rtspPort: { rtspPort }
            ).endpoints
                + SiteEndpoints(
                    content: content, apiDescription: OperatorEndpoints.apiDescription, rtspPort: { rtspPort }
                ).endpoints
                + (authority.accounts.map {
                    let pages = AccountPages(
                        accounts: $0, publicAddress: authority.publicAddress, mailer: mailer,
                        photos: PhotoUpload(library: content.library),
                        channelTitle: { content.channel(named: $0)?.title })
                    return pages.endpoints + LibraryPages(pages: pages, content: content).endpoints
                        + (community.map {
                            CommunityPages(
                                pages: pages, community: $0,
                                images: CompetitionImageUpload(library: content.library),
                                maps: CompetitionMapUpload(library: content.library), library: content.library
                            ).endpoints
                                + PublishedVideoPages(
                                    pages: pages, content: content, community: $0,
                                    uploads: MemberUploads($0, library: content.library, audiences: audiences) {
                                        presets
                                    }, links: links,
                                    club: club
                                ).endpoints
                        } ?? [])
                        + notificationPages(pages)
                } ?? []),
            authority: authority, problemPage: SiteEndpoints.problemPage, idempotencyKeys: idempotencyKeys,
            unreadCount: unreadCount)
    }
}
