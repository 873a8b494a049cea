import Foundation
import TestSupport

/// nginx as an edge, with the configuration that the documentation offers.
struct EdgeProcess {
    let web: HTTPOrigin
    /// Kept, so that it lives as long as the test.
    private let program: BackgroundProgram
    private let folder: TemporaryDirectory

    /// - Parameter server: what it stands in front of.
    init(inFrontOf server: AntenaProcess) async throws {
        let folder = try TemporaryDirectory(label: "edge")
        let repository = URL(fileURLWithPath: #filePath).pathComponents.dropLast(4).joined(separator: "/").dropFirst()
        var configuration = try String(contentsOfFile: "\(repository)/docs/edge/nginx.conf", encoding: .utf8)
        let port = try TCPPorts.free()
        for (documented, ours) in [
            "server 127.0.0.1:8080;": "server 127.0.0.1:\(server.httpPort);",
            "listen 8090;": "listen 127.0.0.1:\(port);",
            "/var/cache/nginx/antena": "\(folder.path)/cache",
        ] {
            guard configuration.contains(documented) else { throw NotInConfiguration(text: documented) }
            configuration = configuration.replacing(documented, with: ours)
        }
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { name in
            "\(name)_temp_path \(folder.path)/\(name);"
        }
        let main = try folder.write(
            """
            daemon off; master_process off; pid \(folder.path)/pid; error_log stderr;
            events { worker_connections 1024; }
            http { \(temporary.joined(separator: " "))
            \(configuration)
            }
            """, to: "nginx.conf")
        let program = try BackgroundProgram("nginx", ["-c", main, "-p", folder.path])
        let web = HTTPOrigin(port: port)
        (self.folder, self.program, self.web) = (folder, program, web)
        _ = try await eventually("nginx answers: \(program.errorOutput)") {
            try await web.request("/api/v1/channels").status == 404 ? true : nil
        }
    }

    struct NotInConfiguration: Error {
        var text: String
    }
}
