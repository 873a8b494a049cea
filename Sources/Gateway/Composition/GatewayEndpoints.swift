package import Community
package import Events
package import HLSDelivery
package import HTTPEndpoints
package import Idempotency
package import IdentityProviders
package import MediaAccess
package import MediaCore
package import NIOPosix
package import Notifications
package import OperatorAPI
package import SupportInbox
package import VideoClub
import WebSite
package import Webhooks
import LiveChannels

/// All endpoints that the gateway serves through its router.
package struct GatewayEndpoints: Sendable {
    package let table: EndpointTable

    /// - Parameters:
    ///   - content: the library and the channels that are shown.
    ///   - presets: the presets of the current configuration, evaluated for each request.
    ///   - authority: finds out who sends a request.
    ///   - mailer: sends mail; `nil` if the server cannot.
    ///   - providers: the services with which people log in; `nil` for a server without any.
    ///   - titleKeys: `nil` if titles cannot be encrypted.
    ///   - reloader: `nil` if the configuration cannot be reloaded.
    ///   - mediaStore: human-readable address of the media store; `nil` if there is none.
    ///   - threadPool: reads files sent to viewers.
    ///   - links: the links to media that is not for everyone; `nil` for a server without any.
    ///   - audiences: the audiences of single titles and tracks; `nil` for a server without any.
    ///   - delivery: decides who may watch; `nil` in tests without media.
    ///   - idempotencyKeys: remembers requests with an `Idempotency-Key`; `nil` ignores such keys.
    ///   - crossOrigin: the pages of other origins whose scripts may use the API.
    ///   - events: the journal of events; `nil` for a server without one.
    ///   - crowd: takes the connections of those who listen to events; `nil` leaves them where they are.
    ///   - webhooks: the receivers of events; `nil` for a server without any.
    ///   - club: the video club; `nil` for a server without one.
    ///   - copies: offline copies of rented titles; `nil` for a server without any.
    ///   - inbox: takes messages of people who need help; `nil` for a server without one.
    ///   - community: what members do together; `nil` for a server without a community.
    ///   - notifications: what members are told; `nil` for a server that tells them nothing.
    ///   - pushKey: the public key for browsers that want push messages; `nil` for a server that sends none.
    ///   - payments: checks the signatures of payments; `nil` if nobody can pay for credits.
    ///   - statistics: receives how long answers take.
    ///   - strictTransport: whether browsers are told to come back over HTTPS only.
    ///   - pictures: fetches pictures of members from identity providers; `nil` for a server that fetches none.
    ///   - rtspPort: the port of the RTSP listener, shown on the about page and to broadcasters.
    package init(
        content: any ContentSource, presets: @autoclosure @escaping @Sendable () -> [QualityPreset],
        authority: RequestAuthority, mailer: (any AccountMailer)? = nil, providers: ProviderDirectory? = nil,
        titleKeys: TitleKeys? = nil,
        reloader: (any ChannelsReloading)? = nil, mediaStore: String? = nil, threadPool: NIOThreadPool = .singleton,
        links: MediaLinks? = nil, audiences: TitleAudiences? = nil, delivery: MediaDelivery? = nil,
        idempotencyKeys: IdempotencyKeys? = nil, crossOrigin: CrossOriginPolicy = .none,
        events: EventJournal? = nil, crowd: EventCrowd? = nil, webhooks: Webhooks? = nil, club: VideoClub? = nil,
        copies: OfflineCopies? = nil, inbox: SupportInbox? = nil, community: Community? = nil,
        notifications: Notifications? = nil, pushKey: String? = nil, payments: WebhookVerification? = nil,
        statistics: HTTPStatistics = HTTPStatistics(), strictTransport: StrictTransport = .off,
        pictures: (any PictureFetching)? = nil, rtspPort: @escaping @Sendable () -> Int
    ) {
        let photos = PhotoUpload(library: content.library, pictures: pictures)
        let notificationEndpoints = NotificationEndpoints(
            notifications: notifications, authority: authority, pushKey: pushKey)
        let notificationPages: @Sendable (AccountPages) -> [Endpoint] = { pages in
            guard let notifications else { return [] }
            return NotificationPages(pages: pages, notifications: notifications, pushKey: pushKey).endpoints
        }
        var unreadCount: EndpointTable.UnreadCount?
        if let notifications { unreadCount = { user in try? await notifications.unreadCount(of: user) } }
        table = EndpointTable(
            OperatorEndpoints(
                accounts: authority.accounts, publicAddress: authority.publicAddress, mailer: mailer,
                photos: photos, providers: providers, content: content,
                presets: presets, titleKeys: titleKeys, reloader: reloader, mediaStore: mediaStore,
                threadPool: threadPool, links: links, audiences: audiences, delivery: delivery,
                events: EventEndpoints(journal: events, authority: authority, crowd: crowd), webhooks: webhooks,
                club: club, copies: copies, inbox: inbox, community: community,
                notifications: notificationEndpoints,
                payments: payments, rtspPort: rtspPort
            ).endpoints
                + SiteEndpoints(
                    content: content, apiDescription: OperatorEndpoints.apiDescription, club: club,
                    editsChannels: reloader != nil, rtspPort: rtspPort
                ).endpoints
                + (authority.accounts.map {
                    let pages = AccountPages(
                        accounts: $0, publicAddress: authority.publicAddress, mailer: mailer, photos: photos,
                        providers: providers, channelTitle: { [content] in content.channel(named: $0)?.title })
                    return pages.endpoints + LibraryPages(pages: pages, content: content).endpoints
                        + (reloader.map {
                            ChannelPages(pages: pages, content: content, reloader: $0).endpoints
                        } ?? [])
                        + (inbox.map { SupportPages(pages: pages, inbox: $0).endpoints } ?? [])
                        + (community.map {
                            CommunityPages(
                                pages: pages, community: $0,
                                images: CompetitionImageUpload(library: content.library),
                                maps: CompetitionMapUpload(library: content.library), library: content.library
                            ).endpoints
                                + PublishedVideoPages(
                                    pages: pages, content: content, community: $0,
                                    uploads: MemberUploads(
                                        $0, library: content.library, audiences: audiences, presets: presets),
                                    links: links, club: club
                                ).endpoints
                        } ?? [])
                        + notificationPages(pages)
                        + (club.map { ClubPages(pages: pages, content: content, club: $0, copies: copies).endpoints }
                            ?? [])
                } ?? []),
            authority: authority, problemPage: SiteEndpoints.problemPage, idempotencyKeys: idempotencyKeys,
            unreadCount: unreadCount,
            crossOrigin: crossOrigin, statistics: statistics, strictTransport: strictTransport)
    }
}
