import Foundation
package import Testing

/// A right that a test needs of the machine, and that containers and ordinary users lack.
package enum Privilege: Sendable {
    /// Mounting in a mount namespace of its own: root with CAP_SYS_ADMIN.
    case mounting

    /// Why tests are skipped.
    fileprivate var reason: Comment {
        switch self {
        case .mounting: "mounting in a namespace takes root with CAP_SYS_ADMIN, which is missing here"
        }
    }

    /// Whether the right is there; it is tried, because user IDs say nothing in containers.
    fileprivate var isGranted: Bool {
        get async throws {
            switch self {
            case .mounting:
                let script = #"mount --make-rprivate / && mount --bind "$0" "$0" && mount -o remount,ro,bind "$0""#
                let folder = try TemporaryDirectory(label: "privilege")
                let trial = try await ExternalTool("unshare").run(
                    ["--mount", "sh", "-c", script, folder.path], requiringSuccess: false)
                return trial.status == 0
            }
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips the test, with the reason, where the machine does not grant a right.
    package static func needs(_ privilege: Privilege) -> Self {
        .enabled(privilege.reason) { try await privilege.isGranted }
    }
}
