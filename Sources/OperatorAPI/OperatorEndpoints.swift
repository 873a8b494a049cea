package import Accounts
package import Community
package import HLSDelivery
package import HTTPEndpoints
package import IdentityProviders
package import MediaAccess
package import MediaCore
package import NIOPosix
package import SupportInbox
package import VideoClub
package import Webhooks

/// All endpoints of the API, of monitoring, and of the images of titles and tracks.
package struct OperatorEndpoints: Sendable {
    package let endpoints: [Endpoint]
    /// The OpenAPI description of the API, in JSON.
    package static var apiDescription: String { OpenAPIDocument.text }

    /// - Parameters:
    ///   - accounts: the accounts; `nil` for a server without any.
    ///   - publicAddress: the address at which visitors reach the site; `nil` if the operator has not named it.
    ///   - mailer: sends mail; `nil` if the server cannot.
    ///   - photos: receives photos of accounts; `nil` for one of its own.
    ///   - providers: the services with which people log in; `nil` for a server without any.
    ///   - content: the library and the channels that are shown.
    ///   - presets: the presets of the current configuration, evaluated for each request.
    ///   - titleKeys: `nil` if titles cannot be encrypted.
    ///   - reloader: `nil` if the configuration cannot be reloaded.
    ///   - mediaStore: human-readable address of the media store; `nil` if there is none.
    ///   - threadPool: reads the images.
    ///   - links: the links to media that is not for everyone; `nil` for a server without any.
    ///   - audiences: the audiences of single titles and tracks; `nil` for a server without any.
    ///   - delivery: decides who may watch, for proxies that keep copies of media; `nil` in tests without media.
    ///   - events: what listeners to events are told; `nil` for a server without a journal.
    ///   - webhooks: the receivers of events; `nil` for a server without any.
    ///   - club: the video club; `nil` for a server without one.
    ///   - copies: offline copies of rented titles; `nil` for a server without any.
    ///   - inbox: takes messages of people who need help; `nil` for a server without one.
    ///   - community: what members do together; `nil` for a server without a community.
    ///   - notifications: what members are told; `nil` for a server that tells them nothing.
    ///   - payments: checks the signatures of payments; `nil` if nobody can pay for credits.
    ///   - rtspPort: the port of the RTSP listener, shown to broadcasters.
    package init(
        accounts: Accounts?, publicAddress: PublicAddress?, mailer: (any AccountMailer)? = nil,
        photos: PhotoUpload? = nil, providers: ProviderDirectory? = nil, content: any ContentSource,
        presets: @escaping @Sendable () -> [QualityPreset], titleKeys: TitleKeys?,
        reloader: (any ChannelsReloading)?, mediaStore: String?, threadPool: NIOThreadPool,
        links: MediaLinks?, audiences: TitleAudiences?, delivery: MediaDelivery?,
        events: EventEndpoints? = nil, webhooks: Webhooks? = nil, club: VideoClub? = nil,
        copies: OfflineCopies? = nil, inbox: SupportInbox? = nil, community: Community? = nil,
        notifications: NotificationEndpoints? = nil, payments: WebhookVerification? = nil,
        rtspPort: @escaping @Sendable () -> Int
    ) {
        let files = FileEndpoints(content: content, threadPool: threadPool, delivery: delivery)
        let happenings =
            (events ?? EventEndpoints(journal: nil, authority: nil)).endpoints
            + WebhookEndpoints(webhooks: webhooks, accounts: accounts).endpoints
        endpoints =
            ChannelEndpoints(content: content, titleKeys: titleKeys).endpoints
            + TitleEndpoints(content: content, titleKeys: titleKeys, club: club).endpoints
            + CollectionEndpoints(content: content, titleKeys: titleKeys, club: club).endpoints
            + TrackEndpoints(content: content).endpoints + CoverEndpoints(content: content).endpoints
            + DetailEndpoints(content: content).endpoints
            + AboutEndpoints(content: content, presets: presets, rtspPort: rtspPort).endpoints
            + LadderEndpoints(content: content, presets: presets).endpoints
            + JobEndpoints(content: content).endpoints
            + UploadEndpoints(
                library: content.library, target: LibraryUploads(library: content.library)
            ).endpoints
            + PosterEndpoints(content: content, titleKeys: titleKeys).endpoints
            + [MetadataEndpoint(content: content).endpoint]
            + [ReloadEndpoint(reloader: reloader).endpoint]
            + ConfigurationEndpoints(reloader: reloader, content: content).endpoints
            + [TitleEncryptionEndpoint(content: content, keys: titleKeys).endpoint]
            + MediaStoreEndpoints(content: content, address: mediaStore).endpoints
            + OperationsEndpoints(content: content, journal: events?.journal, webhooks: webhooks).endpoints
            + AccountsEndpoints(
                accounts: accounts, publicAddress: publicAddress, mailer: mailer,
                photos: photos ?? PhotoUpload(library: content.library), providers: providers, webhooks: webhooks,
                club: club, community: community, notifications: notifications?.notifications,
                library: content.library, threadPool: threadPool
            ).endpoints
            + MediaLinkEndpoints(links: links, publicAddress: publicAddress).endpoints
            + AudienceEndpoints(content: content, audiences: audiences).endpoints
            + PublishLinkEndpoints(
                content: content, links: links, publicAddress: publicAddress, rtspPort: rtspPort
            ).endpoints
            + [AuthorizeEndpoint(delivery: delivery).endpoint]
            + happenings + SupportEndpoints(inbox: inbox).endpoints
            + ClubEndpoints(
                club: club, links: links, accounts: accounts, publicAddress: publicAddress, copies: copies,
                content: content, files: files, payments: payments
            ).endpoints
            + CommunityEndpoints(
                community: community, content: content, links: links, club: club, accounts: accounts, mailer: mailer,
                publicAddress: publicAddress, audiences: audiences, presets: presets
            ).endpoints
            + (notifications ?? NotificationEndpoints(notifications: nil, authority: nil)).endpoints
            + InterchangeEndpoints(content: content, club: club).endpoints
            + files.endpoints
    }
}
