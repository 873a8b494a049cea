import Foundation
import HLSConformance
import TestSupport
import Testing

extension EndToEnd {
    /// `antena serve --public`, as far as it can be seen without another machine.
    @Suite struct PublicServingTests {
        /// All addresses, in the families that this machine has.
        private static var wildcard: String {
            let interfaces = (try? String(contentsOfFile: "/proc/net/if_inet6", encoding: .utf8)) ?? ""
            return interfaces.isEmpty ? "0.0.0.0" : "[::]"
        }

        private static var arguments: [String] {
            ["--public", "--http", "\(wildcard):0", "--rtsp", "\(wildcard):0"]
        }

        /// Never listens, not even for a moment.
        @Test func isRefusedWithoutAnAdministrator() async throws {
            let files = try AntenaProcess(extraArguments: ["--public"])
            let (http, rtsp) = (try TCPPorts.free(), try TCPPorts.free())
            let server = try BackgroundProgram(
                "env",
                [AntenaProcess.executable] + files.arguments + [
                    "--http", "127.0.0.1:\(http)", "--rtsp", "127.0.0.1:\(rtsp)",
                ])
            var connectionCount = 0
            while server.isRunning {
                for port in [http, rtsp] where (try? TCPConnection(port: port)) != nil { connectionCount += 1 }
                try await Task.sleep(for: .milliseconds(2))
            }
            #expect(connectionCount == 0)
            #expect(try await server.waitForExit(within: 5) == 1)
            #expect(server.errorOutput.contains("no administrator account"), "\(server.errorOutput)")
            #expect(server.errorOutput.contains("antena user add NAME --role administrator"))
            #expect(!server.errorOutput.contains("server started") && server.output.isEmpty)
        }

        /// An administrator made without `--public` lets it start; clients of either family and by UDP are served.
        @Test func servesOnAllAddressesWithAnAdministrator() async throws {
            let local = try await AntenaProcess.serving()
            try await AccountTests.add("ana", "administrator", local)
            local.signal(SIGTERM)
            #expect(try await local.waitForExit(within: 10) == 0)
            let server = try AntenaProcess(extraArguments: Self.arguments, folder: local.folder)
            try await server.start()
            let lines = server.log.split(separator: "\n")
            let site = lines.first { $0.hasPrefix("  site ") }
            if let site {
                #expect(site.hasSuffix(":\(server.httpPort)/"))
                #expect(lines.contains { $0.hasSuffix(":\(server.rtspPort)/live/canalA.stream") })
                #expect(lines.contains { $0.hasSuffix(":\(server.httpPort)/live/canalA.stream/playlist.m3u8") })
            } else {
                #expect(server.log.contains("this machine has no network address"), "\(server.log)")
            }
            // Also an address of this machine that no listener names.
            for host in ["127.0.0.1", "127.0.0.9"] + (Self.wildcard == "[::]" ? ["[::1]"] : []) {
                let page = try await ExternalTool("curl").run(
                    ["--silent", "--fail", "--globoff", "http://\(host):\(server.httpPort)/healthz"])
                #expect(page.status == 0, "\(host)")
            }
            // A push from this machine arrives from an IPv4 address that is mapped into IPv6.
            let publisher = try BackgroundProgram.publisher(to: LiveTests.address(server), transport: "udp")
            let window = try await LiveTests.window(of: server, count: 2)
            #expect(window.renditions.count == 2)
            publisher.kill()
        }

        @Test func checkShowsTheAddresses() async throws {
            let folder = try TemporaryDirectory(label: "check")
            let file = try folder.write(AntenaProcess.channelsFile(), to: "channels.json")
            let result = try await AntenaProcess.command([
                "serve", "--check", "--public", "--rtsp", "127.0.0.1:0", "--channels", file, "--data", folder.path,
            ])
            #expect(result.status == 0, "\(result.errorOutput)")
            #expect(result.text.contains("public    yes"))
            #expect(result.text.contains("http://[::]:8080") || result.text.contains("http://0.0.0.0:8080"))
            #expect(result.text.contains("RTSP      127.0.0.1:0"))
        }
    }
}
