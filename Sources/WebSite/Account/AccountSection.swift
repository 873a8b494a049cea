import HTTPEndpoints

/// A page of a member's own account.
enum AccountSection: CaseIterable {
    case profile, security, devices, data

    var path: String {
        switch self {
        case .profile: AccountPath.account
        case .security: AccountPath.security
        case .devices: AccountPath.devices
        case .data: AccountPath.ownData
        }
    }

    func name(_ text: AccountText) -> String {
        switch self {
        case .profile: text.profile
        case .security: text.security
        case .devices: text.devices
        case .data: text.ownData
        }
    }

    /// The page after a completed action.
    var savedPath: String { "\(path)?hecho=1" }
}
