/// The fields of a sign-up. There is no field for a role or a state, so that nobody can send one.
package struct Registration: Sendable {
    package var username: String
    package var email: String?
    package var password: String
    package var profile: Profile
    /// The text of an invitation.
    package var invitation: String?

    package init(
        username: String, email: String? = nil, password: String, profile: Profile = Profile(),
        invitation: String? = nil
    ) {
        (self.username, self.email, self.password) = (username, email, password)
        (self.profile, self.invitation) = (profile, invitation)
    }

    /// The fields that an operator requires and that are empty, in the order of their declaration.
    static func missing(email: String?, _ profile: Profile, of required: Set<ProfileField>) -> [ProfileField] {
        var empty = profile.emptyFields
        if email == nil { empty.insert(.email) }
        return ProfileField.allCases.filter { required.contains($0) && empty.contains($0) }
    }
}
