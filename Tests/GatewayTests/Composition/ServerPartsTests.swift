import Foundation
import Logging
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import Gateway
@testable import ServerSettings

#if canImport(Glibc)
import Glibc
#endif

struct ServerPartsTests {
    @Test func aDataDirectoryIsUsedByOneServerAtATime() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "antena-\(UUID())/data").path(
            percentEncoded: false)
        defer { try? FileManager.default.removeItem(atPath: path) }
        var first: DataDirectory? = try DataDirectory(path: path + "/")
        #expect(first?.path(of: "x") == path + "/x")
        #expect {
            _ = try DataDirectory(path: path)
        } throws: { error in
            "\(error)".contains("another Antena server (process \(getpid())) uses the data directory \(path)")
        }
        first = nil
        _ = try DataDirectory(path: path)
    }

    @Test func aDataDirectoryThatCannotBeMadeSaysSo() {
        #expect {
            _ = try DataDirectory(path: "/proc/antena")
        } throws: { error in
            "\(error)".contains("/proc/antena") && "\(error)".contains("--data")
        }
    }

    @Test func portsAreReportedOnceAllListen() {
        let reports = Mutex<[[ListenerName: Int]]>([])
        let ports = ListenerPorts(awaiting: [.http, .rtsp, .wowza]) { ports in reports.withLock { $0.append(ports) } }
        ports.set(.rtsp, port: 2)
        ports.set(.wowza, port: nil)
        #expect(!ports.isComplete && ports[.rtsp] == 2)
        ports.set(.http, port: 1)
        ports.set(.http, port: 1)
        #expect(ports.isComplete)
        #expect(reports.withLock { $0 } == [[.http: 1, .rtsp: 2]])
    }

    @Test(
        arguments: [
            (EADDRINUSE, "port 322 is in use by another program; choose another with --rtsps h:PORT"),
            (EACCES, "port 322 needs more rights; choose one above 1023 with --rtsps h:PORT"),
            (EADDRNOTAVAIL, "h is not an address of this machine; choose another with --rtsps"),
        ])
    func anAddressThatCannotBeHadNamesWhatToChange(_ code: CInt, text: String) {
        let endpoint = SocketEndpoint(host: "h", port: 322)
        let error = endpoint.explain(IOError(errnoCode: code, reason: "bind"), flag: "--rtsps")
        #expect("\(error)".hasPrefix(text))
    }

    /// RTSP has two listeners in one service; HTTP has one service per listener.
    @Test(arguments: ["--rtsp", "--rtsps", "--https"])
    func aTakenPortNamesTheFlagOfItsListener(_ flag: String) async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let other = try await ServerBootstrap(group: loop).bind(host: "127.0.0.1", port: 0).get()
        let taken = SocketEndpoint(host: "127.0.0.1", port: try #require(other.localAddress?.port))
        let folder = try TemporaryDirectory(label: "ports")
        let certificate = try await TestCertificate(in: folder)
        var configuration = ServerConfiguration()
        configuration.http = SocketEndpoint(host: "127.0.0.1", port: 0)
        configuration.rtsp = flag == "--rtsp" ? taken : configuration.http
        configuration.rtsps = flag == "--rtsps" ? taken : configuration.http
        configuration.https = flag == "--https" ? taken : configuration.http
        configuration.wowzaPort = nil
        configuration.tls = ServerConfiguration.TLSFiles(
            certificate: certificate.certificatePath, key: certificate.keyPath)
        configuration.mediaDirectory = folder.path
        configuration.dataDirectory = try folder.file("data")
        configuration.channelsFile = try folder.write(
            #"""
            {"presets": {"low": {"width": 426, "height": 240, "frameRate": 24, "videoBitrate": 400000,
              "audioBitrate": 64000}}, "channels": [{"name": "a", "defaultPreset": "low", "presets": ["low"]}]}
            """#, to: "channels.json")
        let server = try AntenaServer(
            configuration: configuration, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        await #expect {
            try await server.run()
        } throws: { error in
            "\(error)".hasPrefix("port \(taken.port) is in use by another program; choose another with \(flag) ")
        }
        try await other.close()
    }
}
