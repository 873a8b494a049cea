import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// A data folder on a disk that is full.
    @Suite struct FullDiskTests {
        /// A data folder of 32 MiB.
        private static let mount =
            #"mount --make-rprivate / && mkdir -p "$0" && mount -t tmpfs -o size=32m tmpfs "$0" && exec "$@""#

        @Test(.needs(.mounting)) func isNotReadyUntilThereIsRoom() async throws {
            let server = try AntenaProcess()
            let data = "\(server.folder.path)/data"
            server.launcher = ["unshare", "--mount", "sh", "-c", Self.mount, data]
            try await server.start()
            #expect(try await server.web.request("/readyz").status == 200)
            // The folder as the server sees it.
            let ballast = "/proc/\(server.processIdentifier)/root\(data)/ballast"
            _ = try await ExternalTool("sh").run(
                ["-c", "cat /dev/zero >\"$0\"", ballast], requiringSuccess: false)
            try await eventually {
                let answer = try await server.web.request("/readyz")
                return answer.status == 503 && answer.text.contains("No space left on device")
            }
            try FileManager.default.removeItem(atPath: ballast)
            try await eventually { try await server.web.request("/readyz").status == 200 }
        }
    }
}
