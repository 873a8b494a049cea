// swift-tools-version:6.2
// Hummingbird 2.28 needs the 6.2 manifest format; nothing in Antena itself needs more than Swift 6.1.

import PackageDescription

let swiftSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let nioEmbedded: Target.Dependency = .product(name: "NIOEmbedded", package: "swift-nio")
let nioHTTP2: Target.Dependency = .product(name: "NIOHTTP2", package: "swift-nio-http2")
let nioHPACK: Target.Dependency = .product(name: "NIOHPACK", package: "swift-nio-http2")
let nioHTTPTypesHTTP1: Target.Dependency = .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras")
let nioHTTPTypesHTTP2: Target.Dependency = .product(name: "NIOHTTPTypesHTTP2", package: "swift-nio-extras")
let nioSSL: Target.Dependency = .product(name: "NIOSSL", package: "swift-nio-ssl")
let nioWebSocket: Target.Dependency = .product(name: "NIOWebSocket", package: "swift-nio")
let nioTLS: Target.Dependency = .product(name: "NIOTLS", package: "swift-nio")
let dequeModule: Target.Dependency = .product(name: "DequeModule", package: "swift-collections")
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let hummingbirdTesting: Target.Dependency = .product(name: "HummingbirdTesting", package: "hummingbird")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let serviceLifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")

// The layers of docs/architecture.md, lowest first. Scripts/check-layers.py compares every `import` with these lists.
let package = Package(
    name: "antena",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "antena", targets: ["antena"]),
        // The engine of `antena broadcast`, for other programs; docs/antena-broadcast.md.
        .library(name: "AntenaBroadcaster", targets: ["Broadcaster", "Capture"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.0"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.45.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: ["FullFoundation"]),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.0"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
    ],
    targets: [
        // MARK: Layer 0: values, no I/O
        .target(name: "MediaCore", dependencies: [nioCore]),
        .target(name: "Codecs", dependencies: ["MediaCore", nioCore]),
        .target(name: "ISOBMFF", dependencies: ["MediaCore", "Codecs", nioCore]),
        .target(name: "HLSPlaylist", dependencies: ["MediaCore"]),
        .target(name: "DASHManifest", dependencies: ["MediaCore"]),
        .target(name: "CSVDocument", dependencies: ["MediaCore"]),
        .target(name: "ZIPArchive", dependencies: ["MediaCore"]),
        .target(name: "JSONDocument"),
        // The switch for what exists for speed only.
        .target(name: "FastPathSwitch"),
        .target(name: "XMLDocument", dependencies: ["MediaCore"]),
        // Large files of the resources of targets above. It reads them; it knows nothing of the targets.
        .target(name: "CEmbeddedFiles"),
        .target(name: "SiteTexts", dependencies: ["CEmbeddedFiles"]),
        .target(name: "LibraryCore"),
        .target(name: "LibraryDetails", dependencies: ["JSONDocument", "MediaCore", "XMLDocument"]),
        .target(name: "SessionDescription"),
        .target(name: "LogMetadata", dependencies: [logging, dequeModule]),
        .target(name: "RTPTransport", dependencies: ["MediaCore", "Codecs", "SessionDescription", nioCore]),
        .target(name: "RTSPProtocol", dependencies: ["SessionDescription", crypto, nioCore]),
        .target(name: "RTMPProtocol", dependencies: [nioCore]),
        .target(name: "TransportStream", dependencies: ["MediaCore", "Codecs", nioCore]),

        // MARK: Layer 1: mechanisms
        .target(name: "CLibAV"),
        .target(name: "LibAV", dependencies: ["CLibAV", "MediaCore", "Codecs", nioCore]),
        .target(
            name: "Transcoding",
            dependencies: ["CLibAV", "LibAV", "BoardDrawing", "TableDocuments", "MediaCore", "Codecs", nioCore]),
        .target(name: "Capture", dependencies: ["CLibAV", "LibAV", "MediaCore", "Codecs", nioCore]),
        .target(name: "CPango"),
        // Tables on paper, drawn by cairo and pango.
        .target(name: "TableDocuments", dependencies: ["CPango"]),
        // Scoreboards as pixels, drawn by cairo and pango.
        .target(name: "BoardDrawing", dependencies: ["CPango", "TableDocuments", "MediaCore"]),
        .target(name: "CAntenaSystem", linkerSettings: [.linkedLibrary("z")]),
        .target(
            name: "Packaging",
            dependencies: ["CAntenaSystem", "DASHManifest", "MediaCore", "Codecs", "ISOBMFF", "HLSPlaylist", nioCore]
        ),
        // Reading the sockets of many publishers together.
        .target(
            name: "PacedSockets",
            dependencies: ["CAntenaSystem", "FastPathSwitch", "MediaCore", "Packaging", nioCore]
        ),
        .target(name: "TransportSecurity", dependencies: ["MediaCore", nioCore, nioSSL]),
        .target(
            name: "WebTokens",
            dependencies: ["JSONDocument", "MediaCore", .product(name: "JWTKit", package: "jwt-kit")]),
        .target(
            name: "Mail",
            dependencies: ["MediaCore", "LogMetadata", nioCore, nioPosix, nioSSL, dequeModule, logging]
        ),
        .target(name: "WebPush", dependencies: ["MediaCore", crypto]),
        .target(name: "WebAuthentication", dependencies: ["MediaCore", crypto, cryptoExtras]),
        .target(name: "CLibPQ"),
        .target(name: "CLibSRT"),
        .target(name: "LibSRT", dependencies: ["CLibSRT", "MediaCore", nioCore]),
        .target(
            name: "Database",
            dependencies: ["CLibPQ", "MediaCore", .product(name: "GRDB", package: "GRDB.swift"), crypto]),
        .target(name: "Catalogue", dependencies: ["Database", "LibraryDetails", "MediaCore", crypto]),
        .target(
            name: "OutgoingHTTP",
            dependencies: [
                nioCore, .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ]
        ),
        .target(
            name: "MediaStorage",
            dependencies: [
                "CAntenaSystem", "MediaCore", "LogMetadata", "OutgoingHTTP", "XMLDocument", crypto, nioCore, nioPosix,
                logging,
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ]
        ),

        .target(
            name: "MediaWorker",
            dependencies: [
                "MediaCore", "ISOBMFF", "LibAV", "TableDocuments", "Transcoding", "Packaging", nioCore, nioPosix,
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]
        ),
        .target(
            name: "OfflineCopyFormat", dependencies: ["JSONDocument", crypto, cryptoExtras]),
        .target(name: "APIContract", dependencies: ["JSONDocument", "MediaCore", "RTSPProtocol"]),
        // Each resource and each operation of the API, declared once.
        .target(name: "APIDeclarations", dependencies: ["APIContract", "JSONDocument", "MediaCore"]),

        // MARK: Layer 2: use cases
        .target(
            name: "Events",
            dependencies: ["Database", "HLSPlaylist", "JSONDocument", "LogMetadata", "MediaCore", logging]),
        .target(name: "Idempotency", dependencies: ["Database", "MediaCore", crypto]),
        .target(
            name: "Accounts",
            dependencies: ["Database", "MediaCore", "WebAuthentication", crypto, cryptoExtras, nioPosix],
            resources: [.embedInCode("Resources/common-passwords.txt")]
        ),
        .target(
            name: "Webhooks",
            dependencies: [
                "Accounts", "Database", "Events", "HLSPlaylist", "JSONDocument", "LogMetadata", "MediaCore", crypto,
                logging,
            ]),
        .target(
            name: "VideoClub",
            dependencies: ["Accounts", "Catalogue", "Database", "MediaCore", "OfflineCopyFormat", crypto]),
        .target(
            name: "Community",
            dependencies: ["Accounts", "Catalogue", "CSVDocument", "Database", "MediaCore", "XMLDocument"]),
        .target(name: "Forum", dependencies: ["Accounts", "Catalogue", "Community", "Database", "MediaCore"]),
        .target(
            name: "Messaging", dependencies: ["Accounts", "Catalogue", "Community", "Database", "MediaCore"]),
        .target(name: "SupportInbox", dependencies: ["Accounts", "Database", "MediaCore"]),
        .target(name: "Announcements", dependencies: ["Accounts", "Database", "MediaCore"]),
        .target(
            name: "Scoreboard",
            dependencies: ["Accounts", "CEmbeddedFiles", "CSVDocument", "Database", "JSONDocument", "MediaCore"],
            exclude: ["Resources"]),
        .target(name: "Monitoring", dependencies: ["Database", "MediaCore"]),
        .target(name: "PlaybackPositions", dependencies: ["Accounts", "Database", "MediaCore"]),
        .target(
            name: "Notifications",
            dependencies: [
                "Accounts", "Community", "Database", "Forum", "LogMetadata", "MediaCore", "WebPush", crypto, logging,
            ]),
        .target(
            name: "IdentityProviders", dependencies: ["JSONDocument", "MediaCore", "WebTokens", crypto]),
        .target(
            name: "MediaAccess",
            dependencies: ["Accounts", "Catalogue", "Database", "JSONDocument", "MediaCore", "WebTokens", crypto]),
        .target(
            name: "Viewing", dependencies: ["Accounts", "MediaAccess", "MediaCore", "VideoClub", "WebTokens"]),
        .target(
            name: "LiveChannels",
            dependencies: [
                "DASHManifest", "FastPathSwitch", "MediaCore", "Codecs", "LogMetadata", "HLSPlaylist", "ISOBMFF",
                "BoardDrawing", "Packaging", nioCore, dequeModule, logging,
            ]
        ),
        // What servers of encoders and readers have in common, whatever their protocol.
        .target(
            name: "StreamConnections",
            dependencies: ["LogMetadata", "MediaCore", nioCore, nioPosix, logging]
        ),
        .target(
            name: "RTSPServer",
            dependencies: [
                "ChannelPublishing", "PacedSockets", "TransportSecurity", "MediaCore", "Codecs", "SessionDescription",
                "RTSPProtocol",
                "RTPTransport", "LogMetadata", "Packaging", "LiveChannels", "StreamConnections",
                nioCore, nioPosix, nioSSL, logging, serviceLifecycle,
            ]
        ),
        // How publishers get at a channel, whatever their protocol.
        .target(
            name: "ChannelPublishing",
            dependencies: [
                "MediaCore", "Codecs", "HLSPlaylist", "TransportStream", "RTSPProtocol", "LiveChannels",
                "StreamConnections", nioCore, nioPosix, nioSSL,
            ]
        ),
        .target(
            name: "RTMPServer",
            dependencies: [
                "ChannelPublishing", "PacedSockets", "TransportSecurity", "MediaCore", "Codecs", "HLSPlaylist",
                "RTMPProtocol",
                "RTSPProtocol",
                "LogMetadata", "LiveChannels", "StreamConnections",
                nioCore, nioPosix, nioSSL, logging, serviceLifecycle, crypto,
            ]
        ),
        .target(
            name: "SRTServer",
            dependencies: [
                "ChannelPublishing", "LibSRT", "MediaCore", "LogMetadata", "LiveChannels", "StreamConnections",
                nioCore, logging, serviceLifecycle,
            ]
        ),
        // What browsers publish.
        .target(
            name: "WebIngest",
            dependencies: [
                "ChannelPublishing", "Codecs", "JSONDocument", "LiveChannels", "LogMetadata", "MediaCore",
                "StreamConnections", nioCore, logging,
            ]
        ),
        // Sources of channels elsewhere, and copies of channels to elsewhere.
        .target(
            name: "StreamRelays",
            dependencies: [
                "Broadcaster", "ChannelPublishing", "Codecs", "HLSPlaylist", "ISOBMFF", "LibSRT", "LiveChannels",
                "LogMetadata",
                "MediaCore", "RTMPServer", "RTSPServer", "SRTServer", nioCore, nioPosix, logging, serviceLifecycle,
            ]
        ),
        .target(
            name: "LibraryStorage",
            dependencies: [
                "CAntenaSystem", "MediaCore", "LogMetadata", "Packaging", "MediaStorage", "Database", crypto, nioPosix,
                logging,
            ]
        ),
        .target(
            name: "MediaFolders",
            dependencies: ["CAntenaSystem", "MediaCore", "LibraryCore", "MediaStorage", "LibraryStorage", crypto]
        ),
        .target(
            name: "MediaIntake",
            dependencies: [
                "MediaCore", "LibraryCore", "LogMetadata", "Packaging", "Catalogue", "LibraryStorage", "MediaFolders",
                crypto, nioCore, nioPosix, logging,
            ]
        ),
        .target(
            name: "JobRunning",
            dependencies: ["MediaCore", "LibraryCore", "LogMetadata", "Catalogue", "Database", logging]
        ),
        .target(
            name: "VODLibrary",
            dependencies: [
                "LibraryCore", "LibraryDetails", "MediaWorker", "MediaFolders", "MediaIntake", "JobRunning",
                "LibraryStorage",
                "MediaStorage",
                "CAntenaSystem", "MediaCore", "Codecs", "ISOBMFF", "LogMetadata", "LibAV", "Transcoding", "Packaging",
                "Catalogue", "Database", nioCore, nioPosix, logging, serviceLifecycle,
            ]
        ),
        .target(
            name: "Broadcaster",
            dependencies: [
                "MediaCore", "Codecs", "SessionDescription", "RTPTransport", "RTSPProtocol", "LibAV", "Capture",
                nioCore, nioPosix, nioSSL,
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ]
        ),
        // MARK: Layer 3: edges
        .target(
            name: "HLSDelivery",
            dependencies: [
                "FastPathSwitch",
                "APIContract", "CAntenaSystem", "DASHManifest", "ISOBMFF", "JSONDocument", "MediaCore", "HLSPlaylist",
                "LogMetadata", "OfflineCopyFormat",
                "Packaging", "LiveChannels", crypto,
                cryptoExtras, nioCore, nioPosix, nioSSL, logging, dequeModule, httpTypes,
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
            ]
        ),
        .target(
            name: "HTTPEndpoints",
            dependencies: [
                "APIContract", "Accounts", "Database", "Idempotency", "JSONDocument", "LogMetadata", "MediaCore",
                crypto, nioCore, nioPosix, logging, httpTypes, hummingbird,
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ]
        ),
        .target(
            name: "Workflows",
            dependencies: [
                "Messaging",
                "PlaybackPositions",
                "APIContract", "Accounts", "CEmbeddedFiles", "Catalogue", "Community", "Events", "HLSDelivery",
                "HLSPlaylist", "HTTPEndpoints", "ISOBMFF", "JobRunning", "JSONDocument", "LibraryCore",
                "LibraryDetails", "LiveChannels", "LogMetadata", "BoardDrawing", "Forum",
                "MediaAccess", "MediaCore", "MediaFolders", "MediaIntake", "MediaWorker", "Notifications", "Packaging",
                "Scoreboard", "SiteTexts", "TableDocuments", "VODLibrary", "VideoClub", "Viewing", nioCore, logging,
                httpTypes, hummingbird,
            ]
        ),
        .target(
            name: "WebAPI",
            dependencies: [
                "Messaging", "PlaybackPositions", "Accounts", "Announcements", "Scoreboard", "Events",
                "IdentityProviders", "Forum",
                "MediaAccess",
                "MediaCore", "HLSPlaylist",
                "RTSPProtocol",
                "CSVDocument", "JSONDocument", "Transcoding", "ZIPArchive",
                "APIContract", "APIDeclarations",
                "Packaging",
                "Catalogue", "Database", "LiveChannels", "RTMPServer", "RTSPServer", "SRTServer", "StreamConnections",
                "StreamRelays", "WebIngest", "LibraryCore",
                "LibraryDetails", "MediaWorker",
                "MediaFolders",
                "MediaIntake", "JobRunning", "VODLibrary", "HLSDelivery", "HTTPEndpoints", "Workflows",
                "OfflineCopyFormat",
                "VideoClub", "Viewing", "Webhooks",
                nioCore, nioPosix, dequeModule,
                "SiteTexts", "SupportInbox", "Community", "Notifications", "WebPush",
                httpTypes, hummingbird, serviceLifecycle,
            ],
        ),
        .target(
            name: "WebSite",
            dependencies: [
                "CEmbeddedFiles",
                "Messaging",
                "Events", "Webhooks", "LogMetadata", "Packaging", "Monitoring", "PlaybackPositions",
                "Accounts", "Announcements", "Forum", "Scoreboard",
                "IdentityProviders",
                "WebAuthentication",
                "MediaCore",
                "JSONDocument",
                "APIContract", "APIDeclarations",
                "Catalogue", "Database", "LibraryCore", "LibraryDetails", "LiveChannels", "HLSDelivery",
                "HTTPEndpoints", "Workflows", "MediaIntake",
                "VideoClub", "MediaAccess", "OfflineCopyFormat",
                "StreamRelays", "SiteTexts", "SupportInbox", "Community", "Notifications", "WebPush",
                logging, nioCore, nioPosix, serviceLifecycle,
                httpTypes, hummingbird, .product(name: "Mustache", package: "swift-mustache"),
            ],
            exclude: [
                "Resources/style", "Resources/scripts", "Resources/player", "Resources/icons", "Resources/texts",
                "Resources/flags",
            ],
            resources: [
                "about.mustache", "account.mustache", "action.mustache", "api.mustache", "avatar.mustache",
                "collectioncard.mustache", "banners.mustache", "broadcast.mustache",
                "collection.mustache",
                "collections.mustache", "community.mustache",
                "competition.mustache", "competitioncard.mustache",
                "embedding.mustache", "form.mustache", "forum.mustache", "forumrules.mustache", "markup.mustache",
                "markupspan.mustache", "topic.mustache", "hiding.mustache", "installation.mustache",
                "layout.mustache", "live.mustache", "map.mustache", "messages.mustache", "conversation.mustache",
                "notice.mustache", "overview.mustache", "tablet.mustache",
                "strategy.mustache", "strategyboard.mustache",
                "matchform.mustache", "matchsetup.mustache", "players.mustache", "scoremenu.mustache",
                "problem.mustache", "playerstatistics.mustache", "referee.mustache", "result.mustache",
                "resultdetail.mustache", "resultmenu.mustache", "results.mustache", "scoreboard.mustache",
                "scoreboards.mustache",
                "video.mustache",
                "videos.mustache", "radio.mustache", "tester.mustache",
                "components.mustache", "dashboard.mustache", "dashboardgraphs.mustache", "dashboardstate.mustache",
                "operatorlog.mustache", "operatorlogline.mustache", "narrowing.mustache", "search.mustache",
                "title.mustache", "titlecard.mustache",
                "share.mustache", "words.mustache",
                "videoclub.mustache", "icon.svg", "worker.js",
            ].map { .embedInCode("Resources/\($0)") }
        ),
        .target(
            name: "APIClient",
            dependencies: [
                "MediaCore", "JSONDocument", "APIContract", "APIDeclarations", "MediaFolders", nioCore, nioPosix,
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ]
        ),

        .target(
            name: "OfflineDownloads",
            dependencies: [
                "APIContract", "JSONDocument", "MediaCore", "OfflineCopyFormat", crypto, nioCore, nioPosix, logging,
                httpTypes, hummingbird,
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ]
        ),

        // What the operator has written: channels.json, flags and variables.
        .target(
            name: "ServerSettings",
            dependencies: [
                "APIContract", "Accounts", "CAntenaSystem", "CEmbeddedFiles", "ChannelPublishing", "Database",
                "HLSDelivery",
                "HTTPEndpoints", "IdentityProviders", "JSONDocument", "LibAV", "LibraryCore", "LiveChannels", "Mail",
                "MediaCore", "MediaStorage", "Packaging", "RTSPServer", "TableDocuments", "Transcoding",
                "VODLibrary",
                "Workflows", crypto, logging,
            ],
            exclude: ["Resources/channels.schema.json"]
        ),
        // Requests to the servers of others: imports, pictures, webhooks, push services.
        .target(
            name: "HTTPClients",
            dependencies: [
                "APIContract", "HTTPEndpoints", "LibraryCore", "MediaCore", "MediaIntake", "Notifications",
                "OutgoingHTTP", "StreamRelays", "Webhooks", "Workflows", nioCore, nioSSL,
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ]
        ),
        // Worker processes that convert live channels.
        .target(
            name: "LiveWorkers",
            dependencies: [
                "BoardDrawing", "CAntenaSystem", "Codecs", "LiveChannels", "LogMetadata", "MediaCore", "MediaWorker",
                "Transcoding", nioCore, nioPosix, dequeModule, logging,
            ]
        ),

        // MARK: Layer 4: composition
        // What each domain brings to a server, and the list of all.
        .target(
            name: "Features",
            dependencies: [
                "Monitoring", "PlaybackPositions", "APIContract", "Accounts", "Announcements", "Scoreboard",
                "BoardDrawing", "Catalogue", "Messaging", "Forum",
                "Community",
                "Database",
                "Events",
                "HLSDelivery",
                "HTTPClients", "HTTPEndpoints", "Idempotency", "IdentityProviders", "JSONDocument", "JobRunning",
                "LibraryStorage", "LogMetadata", "Mail", "MediaAccess", "MediaCore", "MediaWorker", "LiveChannels",
                "Notifications",
                "WebAPI", "OutgoingHTTP", "ServerSettings", "SiteTexts", "StreamRelays", "SupportInbox", "VideoClub",
                "WebPush",
                "WebSite",
                "Webhooks", "Workflows", crypto, nioCore, nioPosix, logging, serviceLifecycle, httpTypes,
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ]
        ),
        .target(
            name: "Doctor",
            dependencies: [
                "APIContract", "Accounts", "CAntenaSystem", "ServerSettings", "Database", "Features", "Gateway",
                "JSONDocument",
                "LibAV",
                "MediaCore", "Packaging", "TableDocuments", "TransportSecurity", logging,
            ]
        ),
        .target(
            name: "Gateway",
            dependencies: [
                "FastPathSwitch",
                "Features", "ServerSettings", "HTTPClients", "LiveWorkers", "Accounts",
                "MediaAccess", "WebTokens", "CAntenaSystem", "TransportSecurity",
                "MediaCore",
                "HLSPlaylist", "ISOBMFF", "JSONDocument", "Database", "Events", "Idempotency", "LogMetadata", "Mail",
                "MediaStorage", "LibraryStorage", "BoardDrawing",
                "Community", "VideoClub", "Viewing",
                "LibAV", "LibraryCore", "MediaWorker", "MediaIntake",
                "APIContract", "OutgoingHTTP", "Packaging", "Catalogue", "LiveChannels", "RTSPServer", "RTMPServer",
                crypto, "LibSRT", "SRTServer", "StreamRelays", "WebIngest", nioWebSocket,
                "StreamConnections",
                "VODLibrary", "HLSDelivery", "HTTPEndpoints", "Workflows", "WebAPI", "APIClient", nioCore,
                nioPosix,
                nioHTTP2,
                nioHPACK, nioHTTPTypesHTTP1, nioHTTPTypesHTTP2, nioSSL, nioTLS, logging, serviceLifecycle, dequeModule,
                httpTypes, hummingbird,
                .product(name: "NIOExtras", package: "swift-nio-extras"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]
        ),

        // MARK: Layer 5: the program
        .executableTarget(
            name: "antena",
            dependencies: [
                "Broadcaster", "CSVDocument", "ServerSettings", "Database", "Doctor", "Gateway", "LiveWorkers",
                "MediaWorker", "APIClient", "APIContract", "APIDeclarations",
                "JSONDocument",
                "OfflineDownloads", logging,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),

        // MARK: Examples, built as programs of others would be
        .executableTarget(
            name: "example-broadcast", dependencies: ["Broadcaster", "Capture"], path: "Examples/broadcast",
            packageAccess: false),

        // MARK: Benchmarks that need more than a client's view; Benchmarks/catalogue.py
        .executableTarget(
            name: "catalogue-benchmark",
            dependencies: ["BenchmarkSupport", "Catalogue", "Database", "LibraryDetails", "MediaCore"],
            path: "Benchmarks/CatalogueBenchmark"),
        .target(name: "BenchmarkSupport", dependencies: ["MediaCore"], path: "Benchmarks/Support"),

        // Benchmarks/community.py
        .executableTarget(
            name: "community-benchmark",
            dependencies: [
                "Accounts", "BenchmarkSupport", "Catalogue", "Community", "Database", "Forum", "MediaCore",
                "Notifications",
                crypto, nioPosix,
            ],
            path: "Benchmarks/CommunityBenchmark"),

        // Benchmarks/access.py
        .executableTarget(
            name: "access-benchmark",
            dependencies: ["Accounts", "Database", "MediaAccess", "MediaCore", crypto, nioPosix],
            path: "Benchmarks/AccessBenchmark"),

        // MARK: Tests mirror the targets
        .target(name: "TestSupport", dependencies: ["MediaCore", crypto], path: "Tests/TestSupport"),
        .target(
            name: "DatabaseTestSupport", dependencies: ["Catalogue", "Database", "TestSupport"],
            path: "Tests/DatabaseTestSupport"),
        .target(name: "MediaWorkerTestSupport", dependencies: ["MediaWorker"], path: "Tests/MediaWorkerTestSupport"),
        .target(name: "HLSConformance", path: "Tests/HLSConformance"),
        .target(
            name: "DASHConformance", dependencies: ["MediaCore", "XMLDocument"], path: "Tests/DASHConformance"),
        .testTarget(name: "MediaCoreTests", dependencies: ["MediaCore", "TestSupport", nioCore]),
        .testTarget(name: "CodecsTests", dependencies: ["Codecs", "MediaCore", "TestSupport", nioCore]),
        .testTarget(name: "ISOBMFFTests", dependencies: ["ISOBMFF", "MediaCore", "Codecs", "TestSupport", nioCore]),
        .testTarget(name: "HLSPlaylistTests", dependencies: ["HLSPlaylist"]),
        .testTarget(name: "DASHManifestTests", dependencies: ["DASHConformance", "DASHManifest", "XMLDocument"]),
        .testTarget(
            name: "PackagingTests",
            dependencies: [
                "DASHConformance", "DASHManifest", "Packaging", "MediaCore", "Codecs", "ISOBMFF", "HLSPlaylist",
                "TestSupport", nioCore,
            ]
        ),
        .testTarget(name: "SessionDescriptionTests", dependencies: ["SessionDescription"]),
        .testTarget(
            name: "RTSPProtocolTests", dependencies: ["RTSPProtocol", "SessionDescription", "TestSupport", nioCore]),
        .testTarget(name: "RTMPProtocolTests", dependencies: ["RTMPProtocol", nioCore]),
        .testTarget(
            name: "TransportStreamTests",
            dependencies: ["TransportStream", "MediaCore", "Codecs", "TestSupport", nioCore]),
        .testTarget(
            name: "RTPTransportTests", dependencies: ["RTPTransport", "MediaCore", "Codecs", "TestSupport", nioCore]),
        // Tries what a worker that was taken over would try.
        .executableTarget(name: "confinement-probe", dependencies: ["CLibAV"], path: "Tests/ConfinementProbe"),
        .testTarget(
            name: "LibAVTests",
            dependencies: ["LibAV", "CLibAV", "MediaCore", "Codecs", "TestSupport", "confinement-probe", nioCore]),
        .testTarget(
            name: "TranscodingTests",
            dependencies: [
                "Transcoding", "BoardDrawing", "LibAV", "CLibAV", "MediaCore", "Codecs", "TestSupport", nioCore,
            ]),
        .testTarget(
            name: "CaptureTests",
            dependencies: ["Capture", "LibAV", "CLibAV", "MediaCore", "Codecs", "TestSupport", nioCore]),
        .testTarget(
            name: "DatabaseTests",
            dependencies: [
                "Database", "DatabaseTestSupport", "MediaCore", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        .testTarget(
            name: "SchemaTests",
            dependencies: ["Database", "DatabaseTestSupport", "Features"]),
        .testTarget(
            name: "MailTests",
            dependencies: [
                "GatewayTestSupport", "Mail", "MediaCore", "TestSupport", nioCore, nioPosix, nioEmbedded, logging,
            ]),
        .testTarget(
            name: "CatalogueTests",
            dependencies: [
                "Catalogue", "Database", "DatabaseTestSupport", "LibraryDetails", "MediaCore", "TestSupport",
            ]),
        .testTarget(
            name: "EventsTests",
            dependencies: [
                "Events", "Database", "DatabaseTestSupport", "JSONDocument", "MediaCore", "TestSupport", nioCore,
                logging,
            ]
        ),
        .testTarget(
            name: "WebhooksTests",
            dependencies: [
                "Webhooks", "Accounts", "Database", "DatabaseTestSupport", "Events", "GatewayTestSupport",
                "JSONDocument",
                "MediaCore", "TestSupport", crypto, logging,
            ]
        ),
        .testTarget(
            name: "ScoreboardTests",
            dependencies: [
                "Scoreboard", "Accounts", "Catalogue", "Database", "DatabaseTestSupport", "Events",
                "GatewayTestSupport", "HTTPEndpoints", "ISOBMFF", "JSONDocument", "Mail", "MediaCore", "MediaIntake",
                "MediaWorker", "SiteTexts", "TableDocuments", "TestSupport", "Features", "WebAPI", "Workflows",
                nioCore, nioPosix, logging, "BoardDrawing",
                httpTypes, hummingbird, hummingbirdTesting,
            ]),
        .testTarget(
            name: "AnnouncementsTests",
            dependencies: [
                "Announcements", "Accounts", "Database", "DatabaseTestSupport", "Events", "GatewayTestSupport",
                "HTTPEndpoints", "JSONDocument", "MediaCore", "TestSupport", "Features", "Workflows", nioCore,
                httpTypes, hummingbird,
                hummingbirdTesting, logging,
            ]),
        .testTarget(
            name: "ForumTests",
            dependencies: [
                "Forum", "Accounts", "Catalogue", "Community", "Database", "DatabaseTestSupport", "Events",
                "GatewayTestSupport", "HTTPEndpoints", "JSONDocument", "MediaCore", "Notifications", "TestSupport",
                "Features", "Workflows", nioCore, httpTypes, hummingbird, hummingbirdTesting, logging,
            ]),
        .testTarget(
            name: "MonitoringTests",
            dependencies: ["Monitoring", "DatabaseTestSupport", "GatewayTestSupport", "MediaCore", "TestSupport"]),
        .testTarget(
            name: "PlaybackPositionsTests",
            dependencies: [
                "Catalogue", "PlaybackPositions", "Accounts", "Database", "DatabaseTestSupport", "Features",
                "GatewayTestSupport",
                "HTTPEndpoints", "JSONDocument", "MediaCore", "TestSupport", httpTypes, hummingbird, hummingbirdTesting,
                nioCore,
            ]),
        .testTarget(
            name: "MessagingTests",
            dependencies: [
                "Messaging", "Accounts", "Catalogue", "Community", "Database", "DatabaseTestSupport", "Features",
                "GatewayTestSupport", "HTTPEndpoints", "JSONDocument", "MediaCore", "Notifications", "TestSupport",
                httpTypes, hummingbird, hummingbirdTesting, nioCore,
            ]),
        .testTarget(
            name: "SupportInboxTests",
            dependencies: [
                "SupportInbox", "Accounts", "Database", "DatabaseTestSupport", "GatewayTestSupport", "MediaCore",
                "TestSupport",
                nioCore,
            ]),
        .testTarget(
            name: "CommunityTests",
            dependencies: [
                "Community", "Accounts", "Catalogue", "Database", "DatabaseTestSupport", "GatewayTestSupport",
                "MediaCore", "TestSupport",
            ]),
        .testTarget(
            name: "NotificationsTests",
            dependencies: [
                "Forum",
                "Notifications", "Accounts", "Catalogue", "Community", "Database", "DatabaseTestSupport",
                "GatewayTestSupport", "MediaAccess", "MediaCore", "TestSupport", "WebPush", crypto, logging,
            ]),
        .testTarget(name: "WebPushTests", dependencies: ["WebPush", "MediaCore", "TestSupport", crypto]),
        .testTarget(
            name: "VideoClubTests",
            dependencies: [
                "VideoClub", "Accounts", "Catalogue", "Database", "DatabaseTestSupport", "GatewayTestSupport",
                "MediaCore", "OfflineCopyFormat", "TestSupport", crypto, nioCore,
            ]),
        .testTarget(
            name: "ViewingTests", dependencies: ["Viewing", "Accounts", "MediaAccess", "MediaCore", "VideoClub"]),
        .testTarget(
            name: "OfflineCopyFormatTests", dependencies: ["OfflineCopyFormat", "JSONDocument", crypto]),
        .testTarget(
            name: "IdempotencyTests",
            dependencies: ["Idempotency", "Database", "DatabaseTestSupport", "MediaCore", "TestSupport", crypto]),
        .testTarget(
            name: "AccountsTests",
            dependencies: [
                "Accounts", "Database", "DatabaseTestSupport", "MediaCore", "TestSupport", "WebAuthentication", crypto,
                cryptoExtras, nioCore, nioPosix,
            ]),
        .testTarget(
            name: "WebTokensTests",
            dependencies: ["WebTokens", "JSONDocument", "MediaCore", "TestSupport", crypto, cryptoExtras]),
        .testTarget(
            name: "IdentityProvidersTests",
            dependencies: ["IdentityProviders", "JSONDocument", "MediaCore", "TestSupport", crypto]),
        .testTarget(
            name: "MediaAccessTests",
            dependencies: [
                "Accounts", "Catalogue", "MediaAccess", "Database", "DatabaseTestSupport", "JSONDocument", "MediaCore",
                "TestSupport", "WebTokens", crypto, nioCore, nioPosix,
            ]),
        .testTarget(
            name: "LiveChannelsTests",
            dependencies: [
                "FastPathSwitch",
                "BoardDrawing", "LiveChannels", "RTPTransport", "Packaging", "ISOBMFF", "HLSPlaylist", "MediaCore",
                "Codecs",
                "TestSupport", "DASHConformance", "DASHManifest", "HLSConformance", "XMLDocument", nioCore, nioEmbedded,
                logging,
            ]
        ),
        .testTarget(
            name: "RTMPServerTests",
            dependencies: [
                "FastPathSwitch", "PacedSockets", "RTMPServer", "ChannelPublishing", "RTMPProtocol",
                "StreamConnections", "LiveChannels", "HLSPlaylist",
                "MediaCore", "Codecs",
                "TestSupport",
                nioCore, nioEmbedded, nioPosix, logging, crypto,
            ]
        ),
        .testTarget(
            name: "WebIngestTests",
            dependencies: [
                "WebIngest", "Codecs", "LiveChannels", "MediaCore", "Packaging", "StreamConnections", "TestSupport",
                nioCore, nioEmbedded, logging,
            ]),
        .testTarget(
            name: "StreamRelaysTests",
            dependencies: [
                "StreamRelays", "ChannelPublishing", "LiveChannels", "MediaCore", "TestSupport", nioCore, nioEmbedded,
                logging,
            ]),
        .testTarget(name: "SRTServerTests", dependencies: ["SRTServer", "StreamConnections"]),
        .testTarget(
            name: "PacedSocketsTests",
            dependencies: ["FastPathSwitch", "PacedSockets", "Packaging", nioCore, nioPosix, nioEmbedded]),
        .testTarget(
            name: "RTSPServerTests",
            dependencies: [
                "FastPathSwitch", "PacedSockets",
                "RTSPServer", "RTSPProtocol", "RTPTransport", "LiveChannels", "LogMetadata", "SessionDescription",
                "StreamConnections", "Packaging", "MediaCore", "Codecs", "ISOBMFF", "TestSupport", nioCore, nioPosix,
                nioEmbedded, logging,
            ]
        ),
        .testTarget(
            name: "BroadcasterTests",
            dependencies: [
                "Broadcaster", "Capture", "LibAV", "RTPTransport", "RTSPProtocol", "SessionDescription", "MediaCore",
                "TestSupport", nioCore,
            ]
        ),
        .testTarget(
            name: "LibraryStorageTests",
            dependencies: [
                "LibraryStorage", "MediaStorage", "Database", "DatabaseTestSupport", "Packaging", "MediaCore",
                "TestSupport", nioCore, nioPosix, logging,
            ]),
        .testTarget(name: "LibraryCoreTests", dependencies: ["LibraryCore"]),
        .testTarget(name: "XMLDocumentTests", dependencies: ["XMLDocument", "TestSupport"]),
        .testTarget(name: "LibraryDetailsTests", dependencies: ["LibraryDetails", "JSONDocument", "XMLDocument"]),
        .testTarget(name: "MediaFoldersTests", dependencies: ["MediaFolders", "LibraryCore", "TestSupport"]),
        .testTarget(
            name: "MediaIntakeTests", dependencies: ["MediaIntake", "MediaFolders", "LibraryCore", "TestSupport"]),
        .testTarget(
            name: "JobRunningTests",
            dependencies: [
                "JobRunning", "LibraryCore", "LogMetadata", "Catalogue", "Database", "MediaCore", "TestSupport",
                logging,
            ]),
        .testTarget(
            name: "MediaWorkerTests",
            dependencies: [
                "LibAV", "MediaWorker", "MediaWorkerTestSupport", "TableDocuments", "Transcoding", "ISOBMFF",
                "Packaging", "MediaCore", "Codecs",
                "TestSupport", nioCore, nioPosix,
            ]),
        .testTarget(
            name: "VODLibraryTests",
            dependencies: [
                "Database", "DatabaseTestSupport", "LibraryStorage", "MediaStorage", "LibraryCore", "MediaWorker",
                "MediaWorkerTestSupport", "MediaFolders", "MediaIntake", "JobRunning", "VODLibrary", "Catalogue",
                "LibAV", "LibraryDetails", "Transcoding", "Packaging", "ISOBMFF",
                "MediaCore", "Codecs", "HLSPlaylist",
                "TestSupport", crypto, nioCore, nioPosix, logging,
            ]),
        .target(
            name: "GatewayTestSupport",
            dependencies: [
                "Accounts", crypto, "Database", "DatabaseTestSupport",
                "Features", "Workflows", "APIContract", "BoardDrawing", "Catalogue", "Codecs", "HLSDelivery",
                "HLSPlaylist",
                "HTTPEndpoints", "ISOBMFF",
                "JSONDocument", "LibraryDetails", "LiveChannels", "MediaCore", "MediaWorker", "MediaIntake",
                "Packaging",
                "TestSupport",
                "ServerSettings", "SiteTexts", "VODLibrary", "VideoClub", "Webhooks", nioCore,
                nioPosix,
                nioEmbedded, nioSSL, logging, httpTypes,
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
            ],
            path: "Tests/GatewayTestSupport"
        ),
        .testTarget(
            name: "OutgoingHTTPTests",
            dependencies: [
                "OutgoingHTTP", nioCore, nioPosix, .product(name: "AsyncHTTPClient", package: "async-http-client"),
            ]),
        .testTarget(name: "CSVDocumentTests", dependencies: ["CSVDocument", "MediaCore"]),
        .testTarget(name: "ZIPArchiveTests", dependencies: ["ZIPArchive", "MediaCore", "TestSupport"]),
        .testTarget(name: "JSONDocumentTests", dependencies: ["JSONDocument"]),
        .testTarget(
            name: "HLSDeliveryTests",
            dependencies: [
                "DASHConformance", "FastPathSwitch",
                "HLSDelivery", "HLSPlaylist", "ISOBMFF", "LiveChannels", "OfflineCopyFormat", "Packaging", "MediaCore",
                "Codecs", "GatewayTestSupport", "TestSupport", crypto, cryptoExtras, nioCore, nioPosix, nioEmbedded,
                httpTypes,
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
            ]
        ),
        .testTarget(
            name: "WebAPITests",
            dependencies: [
                "Forum",
                "APIDeclarations", "LibraryCore",
                "Accounts", "Database", "DatabaseTestSupport", "Events", "HLSDelivery", "Idempotency", crypto,
                "WebAPI", "Workflows", "Features", "HTTPEndpoints", "APIClient", "APIContract", "WebSite",
                "JSONDocument", "HLSPlaylist",
                "Packaging", "LibraryDetails", "VideoClub", "Community",
                "Catalogue", "LiveChannels", "MediaAccess", "RTSPServer", "VODLibrary", "Webhooks", "MediaCore",
                "JobRunning", "GatewayTestSupport", "TestSupport", nioCore, nioEmbedded, logging, httpTypes,
                hummingbird, "Notifications", "SupportInbox", "WebPush", nioPosix,
                hummingbirdTesting,
            ]
        ),
        .testTarget(
            name: "HTTPEndpointsTests",
            dependencies: [
                "Accounts", "DatabaseTestSupport", "GatewayTestSupport", "Workflows", "Features", "HTTPEndpoints",
                "Idempotency", "JSONDocument",
                "LogMetadata", "MediaIntake", "TestSupport",
                nioCore, logging,
                httpTypes, hummingbird, hummingbirdTesting,
            ]
        ),
        .testTarget(
            name: "WebSiteTests",
            dependencies: [
                "Forum",
                "IdentityProviders", "JSONDocument", "LogMetadata", "VideoClub", "LibraryDetails",
                "Accounts", "Database", "DatabaseTestSupport",
                "SiteTexts", "WebSite", "Workflows", "Features", "HTTPEndpoints", "Catalogue", "Community",
                "ChannelPublishing", "StreamRelays",
                "LiveChannels", "MediaAccess",
                "MediaCore", "Notifications", "SupportInbox",
                crypto, logging, "GatewayTestSupport", "TestSupport", nioCore, httpTypes, hummingbird,
                hummingbirdTesting,
            ]
        ),
        .testTarget(name: "SiteTextsTests", dependencies: ["SiteTexts", "TestSupport"]),
        .testTarget(
            name: "APIClientTests",
            dependencies: ["APIDeclarations", "APIClient", "APIContract", "JSONDocument", "TestSupport"]),
        .testTarget(
            name: "OfflineDownloadsTests",
            dependencies: [
                "OfflineDownloads", "OfflineCopyFormat", "JSONDocument", "MediaCore", "TestSupport", crypto, nioCore,
                nioPosix, logging, httpTypes, hummingbird,
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ]),
        .testTarget(
            name: "GatewayTests",
            dependencies: [
                "Forum",
                "APIDeclarations",
                "Accounts", "BoardDrawing", "Database", "DatabaseTestSupport", "Events", "Idempotency", "SupportInbox",
                "Workflows", "Features", "ServerSettings", "HTTPClients", "LiveWorkers", "Doctor", "Gateway",
                "APIClient", "APIContract", "Catalogue", "HLSDelivery", "HTTPEndpoints", "IdentityProviders",
                "JSONDocument", "OutgoingHTTP", "WebTokens",
                "LibAV",
                "WebIngest", "RTSPServer", "StreamConnections", "Transcoding", "LiveChannels", "Packaging",
                "LibraryCore",
                "MediaWorker",
                "MediaIntake", "Mail", "MediaAccess", "MediaStorage", "Notifications", "WebAPI", "VODLibrary",
                "VideoClub",
                "Community", "Viewing", crypto, "MediaCore", "Codecs", "ISOBMFF", "HLSPlaylist", "TableDocuments",
                "GatewayTestSupport", "SiteTexts", "TestSupport", "TransportSecurity", "Webhooks", nioCore, nioPosix,
                nioEmbedded,
                nioHTTP2, nioHPACK, nioHTTPTypesHTTP1,
                nioHTTPTypesHTTP2, nioSSL, logging, serviceLifecycle, httpTypes, hummingbird, hummingbirdTesting,
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
            ]
        ),
        .testTarget(
            name: "MediaStorageTests",
            dependencies: [
                "MediaStorage", "MediaCore", "TestSupport", crypto, nioCore, nioPosix, logging,
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ]),
        .testTarget(name: "TransportSecurityTests", dependencies: ["TransportSecurity", "TestSupport", nioSSL]),
        .testTarget(name: "HLSConformanceTests", dependencies: ["HLSConformance"]),
        // The programs that tests run are no dependencies: a build of the tests makes them beside it, and nothing
        // waits.
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "Catalogue", "Community", "DASHConformance", "Database", "DatabaseTestSupport", "HLSConformance",
                "TestSupport", "XMLDocument", crypto,
            ]),
    ]
)

// Targets whose code works on each byte or line of media, so that tests of it take twice as long without optimisation.
// CI builds them with it, which costs a fifth of the time that it saves.
let computingTargets: Set = [
    "Codecs", "HLSConformance", "HLSDelivery", "HLSPlaylist", "ISOBMFF", "LiveChannels", "MediaCore", "Packaging",
    "RTPTransport", "Scoreboard", "Transcoding",
]
let optimizesComputing = Context.environment["ANTENA_OPTIMIZE_COMPUTING"] == "1"

for target in package.targets
where !["CLibAV", "CLibPQ", "CLibSRT", "CPango", "CAntenaSystem", "confinement-probe"].contains(target.name) {
    target.swiftSettings = swiftSettings
    if optimizesComputing, computingTargets.contains(target.name) {
        target.swiftSettings?.append(.unsafeFlags(["-O"]))
    }
}
