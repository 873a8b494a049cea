import Foundation
import TestSupport

/// nginx in front of a server.
struct EdgeProcess {
    let web: HTTPOrigin
    /// The running nginx, kept alive as long as the test.
    private let program: BackgroundProgram
    private let folder: TemporaryDirectory

    /// An edge with the configuration from the documentation.
    ///
    /// - Parameter server: the origin.
    init(inFrontOf server: AntenaProcess) async throws { try await self.init(inFrontOf: server.web) }

    /// An edge with the configuration from the documentation.
    ///
    /// - Parameter origin: the origin, which may be another program.
    init(inFrontOf origin: HTTPOrigin) async throws {
        let folder = try TemporaryDirectory(label: "edge")
        var configuration = try String(contentsOfFile: "\(Repository.path)/docs/edge/nginx.conf", encoding: .utf8)
        let port = try TCPPorts.free()
        for (documented, ours) in [
            "server 127.0.0.1:8080;": "server 127.0.0.1:\(origin.port);",
            "listen 8090;": "listen 127.0.0.1:\(port);",
            "/var/cache/nginx/antena": "\(folder.path)/cache",
        ] {
            guard configuration.contains(documented) else { throw NotInConfiguration(text: documented) }
            configuration = configuration.replacing(documented, with: ours)
        }
        try await self.init(configuration: configuration, port: port, folder: folder, statusOfAPI: 404)
    }

    /// A minimal proxy configuration, which passes neither the client's address nor the host name to the server.
    static func careless(inFrontOf server: AntenaProcess) async throws -> EdgeProcess {
        let port = try TCPPorts.free()
        let configuration =
            "server { listen 127.0.0.1:\(port); location / { proxy_pass http://127.0.0.1:\(server.httpPort); } }"
        return try await EdgeProcess(
            configuration: configuration, port: port, folder: try TemporaryDirectory(label: "proxy"), statusOfAPI: 200)
    }

    /// - Parameters:
    ///   - configuration: the content of nginx's `http` block.
    ///   - statusOfAPI: the status of `/api/v1/channels` when nginx is ready.
    private init(
        configuration: String, port: Int, folder: TemporaryDirectory, statusOfAPI: Int
    ) async throws {
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { name in
            "\(name)_temp_path \(folder.path)/\(name);"
        }
        let main = try folder.write(
            """
            daemon off; master_process off; pid \(folder.path)/pid; error_log stderr;
            events { worker_connections 1024; }
            http { \(temporary.joined(separator: " ")) access_log off;
            \(configuration)
            }
            """, to: "nginx.conf")
        let program = try BackgroundProgram("nginx", ["-c", main, "-p", folder.path])
        let web = HTTPOrigin(port: port)
        (self.folder, self.program, self.web) = (folder, program, web)
        _ = try await eventually("nginx answers: \(program.errorOutput)") {
            try await web.request("/api/v1/channels").status == statusOfAPI ? true : nil
        }
    }

    struct NotInConfiguration: Error {
        var text: String
    }
}
