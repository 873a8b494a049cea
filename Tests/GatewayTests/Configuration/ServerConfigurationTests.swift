import Foundation
import HTTPEndpoints
import Logging
import TestSupport
import Testing

@testable import Gateway
@testable import ServerSettings

struct ServerConfigurationTests {
    @Test func defaultsAreLoopback() throws {
        let configuration = try ServerConfiguration(flags: [:], environment: [:])
        #expect(configuration == ServerConfiguration())
        #expect("\(configuration.http) \(configuration.rtsp)" == "127.0.0.1:8080 127.0.0.1:8554")
    }

    @Test func flagWinsOverEnvironmentAndEnvironmentOverDefault() throws {
        let environment = [
            "ANTENA_HTTP": "0.0.0.0:80", "ANTENA_RTSP": "[::1]:0", "ANTENA_LOG_LEVEL": "Debug", "ANTENA_DATA": "",
            "ANTENA_PRINT_PORTS": "true",
        ]
        let configuration = try ServerConfiguration(flags: [.http: "localhost:1"], environment: environment)
        #expect(configuration.http == SocketEndpoint(host: "localhost", port: 1))
        #expect(configuration.rtsp == SocketEndpoint(host: "::1", port: 0))
        #expect("\(configuration.rtsp)" == "[::1]:0")
        #expect(configuration.logLevel == .debug)
        #expect(configuration.dataDirectory == "data")
        #expect(configuration.printsPorts)
    }

    @Test(arguments: [
        "", "8080", ":8080", "host:", "host:x", "host:65536", "host:-1", "::1:80", "a b:1", "h:99999999999999999999",
    ])
    func refusesWhatIsNoEndpoint(_ text: String) {
        #expect {
            _ = try ServerConfiguration(flags: [.http: text], environment: [:])
        } throws: { error in
            "\(error)".hasPrefix("--http \"\(text)\": ")
        }
    }

    /// Browsers keep to HTTPS at every port of a host, so they are told only where nobody needs plain HTTP.
    @Test func browsersKeepToHTTPSWhereThatBreaksNothing() throws {
        let tls: [ServerSetting: String] = [.tlsCert: "c.pem", .tlsKey: "k.pem"]
        func age(_ flags: [ServerSetting: String]) throws -> Duration? {
            try ServerConfiguration(flags: tls.merging(flags) { $1 }, environment: [:]).strictTransport.maximumAge
        }
        #expect(try ServerConfiguration(flags: [:], environment: [:]).strictTransport.maximumAge == nil)
        #expect(try age([:]) == .seconds(15_552_000))
        #expect(try age([.http: "0.0.0.0:8080"]) == nil)
        #expect(try age([.http: "0.0.0.0:8080", .publicURL: "https://tv.example.org"]) == .seconds(15_552_000))
        #expect(try age([.publicURL: "http://tv.example.org"]) == nil)
        #expect(try age([.hsts: "off"]) == nil)
        #expect(try age([.hsts: "300", .http: "0.0.0.0:8080"]) == .seconds(300))
        for wrong in ["-1", "soon", "99999999999"] {
            #expect(throws: SettingError.self) { try age([.hsts: wrong]) }
        }
    }

    @Test func choosesPortsAndCertificates() throws {
        let plain = try ServerConfiguration(flags: [:], environment: [:])
        #expect(plain.wowzaPort == 1935 && !plain.isWowzaPortRequired && plain.tls == nil)
        #expect(plain.https == nil && plain.rtsps == nil)
        let off = try ServerConfiguration(flags: [:], environment: ["ANTENA_WOWZA_PORT": "Off"])
        #expect(off.wowzaPort == nil)
        let full = try ServerConfiguration(
            flags: [.rtsps: "[::]:322", .wowzaPort: "0", .tlsCert: "c.pem", .udpPorts: "30000-30001"],
            environment: ["ANTENA_TLS_KEY": "k.pem"])
        #expect(full.rtsps == SocketEndpoint(host: "::", port: 322))
        #expect(full.wowzaPort == 0 && full.isWowzaPortRequired)
        #expect(full.tls == ServerConfiguration.TLSFiles(certificate: "c.pem", key: "k.pem"))
        #expect(full.udpPorts == 30_000...30_001)
    }

    /// A certificate without a listener turns on HTTPS; with RTSPS alone it does not.
    @Test(
        arguments: [
            (nil, nil, "0.0.0.0:8443", nil), (nil, "h:322", nil, "h:322"), ("h:443", nil, "h:443", nil),
            ("h:443", "h:322", "h:443", "h:322"),
        ] as [(String?, String?, String?, String?)])
    func aCertificateIsUsed(_ https: String?, _ rtsps: String?, _ expected: String?, _ expectedRTSPS: String?) throws {
        var flags: [ServerSetting: String] = [.http: "0.0.0.0:80", .tlsCert: "c", .tlsKey: "k"]
        flags[.rtsps] = rtsps
        let configuration = try ServerConfiguration(
            flags: flags,
            environment: https.map { ["ANTENA_HTTPS": $0] } ?? [:])
        #expect(configuration.https?.description == expected)
        #expect(configuration.rtsps?.description == expectedRTSPS)
    }

    @Test(
        arguments: [
            ([.wowzaPort: "on"], "--wowza-port \"on\""),
            ([.wowzaPort: "65536"], "--wowza-port"),
            ([.udpPorts: "5"], "--udp-ports"),
            ([.udpPorts: "9-8"], "--udp-ports"),
            ([.udpPorts: "0-8"], "--udp-ports"),
            ([.udpPorts: "1-2-3"], "--udp-ports"),
            ([.tlsCert: "c"], "--tls-cert \"c\": also needs --tls-key"),
            ([.tlsKey: "k"], "--tls-key \"k\": also needs --tls-cert"),
            ([.rtsps: "h:1"], "--rtsps \"h:1\": needs --tls-cert and --tls-key"),
            ([.https: "h:1"], "--https \"h:1\": needs --tls-cert and --tls-key"),
            ([.https: "h", .tlsCert: "c", .tlsKey: "k"], "--https \"h\": has no port"),
        ] as [([ServerSetting: String], String)])
    func refusesPortsAndCertificatesThatDoNotFit(_ flags: [ServerSetting: String], _ text: String) {
        #expect {
            _ = try ServerConfiguration(flags: flags, environment: [:])
        } throws: { error in
            "\(error)".hasPrefix(text)
        }
    }

    @Test func namesTheVariableThatIsWrong() {
        #expect {
            _ = try ServerConfiguration(flags: [:], environment: ["ANTENA_LOG_LEVEL": "loud"])
        } throws: { error in
            "\(error)"
                == "ANTENA_LOG_LEVEL \"loud\": must be one of: trace, debug, info, notice, warning, error, critical"
        }
        #expect(throws: SettingError.self) {
            _ = try ServerConfiguration(flags: [:], environment: ["ANTENA_PRINT_PORTS": "maybe"])
        }
    }

    @Test func logLinesAreTextOrJSON() throws {
        #expect(try ServerConfiguration(flags: [:], environment: [:]).logFormat == .text)
        #expect(try ServerConfiguration(flags: [:], environment: ["ANTENA_LOG_FORMAT": "JSON"]).logFormat == .json)
        #expect(
            try ServerConfiguration(flags: [.logFormat: "text"], environment: ["ANTENA_LOG_FORMAT": "json"]).logFormat
                == .text)
        #expect {
            _ = try ServerConfiguration(flags: [.logFormat: "xml"], environment: [:])
        } throws: { error in
            "\(error)" == "--log-format \"xml\": must be one of: text, json"
        }
    }

    @Test func everySettingStandsInTheDocumentation() throws {
        let page = try String(
            contentsOfFile: "\(Repository.path)/docs/operations/configuration.md", encoding: .utf8)
        for setting in ServerSetting.allCases {
            #expect(page.contains("`\(setting.flag)"), "\(setting.flag)")
            #expect(setting.declaration.help.hasSuffix("."), "\(setting.flag)")
        }
    }
}
