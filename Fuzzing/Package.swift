// swift-tools-version:6.2
// A package of its own, so that its flags never reach users. `make fuzz` builds and runs it; see run.sh.

import PackageDescription

// As for Antena itself, and with what libFuzzer and AddressSanitizer look for.
let swiftSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
    .unsafeFlags(["-sanitize=fuzzer,address"]),
]
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
// libFuzzer without a main of its own, because the package manager brings one.
let fuzzer = Context.environment["ANTENA_FUZZER_LIBRARY"] ?? ""

let package = Package(
    name: "antena",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    ],
    targets: [
        // Links to the sources of Antena: what is `package` there has to be seen here.
        .target(name: "MediaCore", dependencies: [nioCore], swiftSettings: swiftSettings),
        .target(name: "Codecs", dependencies: ["MediaCore", nioCore], swiftSettings: swiftSettings),
        .target(name: "SessionDescription", swiftSettings: swiftSettings),
        .target(name: "RTPTransport", dependencies: ["MediaCore", "Codecs", nioCore], swiftSettings: swiftSettings),
        .target(
            name: "RTSPProtocol",
            dependencies: ["SessionDescription", nioCore, .product(name: "Crypto", package: "swift-crypto")],
            swiftSettings: swiftSettings),
        .target(name: "RTMPProtocol", dependencies: [nioCore], swiftSettings: swiftSettings),
        .target(
            name: "TransportStream", dependencies: ["MediaCore", "Codecs", nioCore], swiftSettings: swiftSettings),
        .target(name: "JSONDocument", swiftSettings: swiftSettings),
        // Only what parses without Hummingbird.
        .target(name: "HTTPEndpoints", dependencies: ["MediaCore", nioCore], swiftSettings: swiftSettings),
        .target(name: "ISOBMFF", dependencies: ["MediaCore", "Codecs", nioCore], swiftSettings: swiftSettings),
        .target(name: "HLSPlaylist", dependencies: ["MediaCore"], swiftSettings: swiftSettings),
        // Only what parses without the channels.
        .target(name: "StreamConnections", dependencies: ["MediaCore"], swiftSettings: swiftSettings),
        .target(
            name: "SRTServer", dependencies: ["StreamConnections"],
            swiftSettings: swiftSettings + [.unsafeFlags(["-enable-testing"])]),
        .target(
            name: "StreamRelays", dependencies: ["MediaCore", "Codecs", "ISOBMFF", nioCore],
            swiftSettings: swiftSettings + [.unsafeFlags(["-enable-testing"])]),
        .target(name: "ChannelPublishing", dependencies: ["MediaCore", "Codecs"], swiftSettings: swiftSettings),
        .target(
            name: "WebIngest",
            dependencies: ["ChannelPublishing", "MediaCore", "Codecs", "JSONDocument", nioCore],
            // Its messages are its own matter in Antena.
            swiftSettings: swiftSettings + [.unsafeFlags(["-enable-testing"])]),
        .executableTarget(
            name: "antena-fuzz",
            dependencies: [
                "MediaCore", "Codecs", "SessionDescription", "RTPTransport", "RTSPProtocol", "RTMPProtocol",
                "TransportStream", "JSONDocument", "HTTPEndpoints", "WebIngest", "ISOBMFF",
                "HLSPlaylist", "SRTServer", "StreamRelays", nioCore,
            ],
            swiftSettings: swiftSettings,
            linkerSettings: [.unsafeFlags(["-sanitize=address", fuzzer, "-lstdc++"])]),
    ]
)
