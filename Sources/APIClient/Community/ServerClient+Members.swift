package import APIContract
package import APIDeclarations

extension ServerClient {
    /// Members whose usernames begin with a text, by username; all if it is `nil`.
    package func members(matching text: String?, limit: Int) async throws -> [APIObject<ListedMemberFields>] {
        try await items(CommunityAPI.listMembers, query: [("q", text)], limit: limit)
    }

    /// The public profile of a member.
    package func memberProfile(_ name: String) async throws -> APIObject<MemberProfileFields> {
        try await send(CommunityAPI.getProfile, name)
    }

    /// The caller's own profile.
    package func ownProfile() async throws -> APIObject<OwnProfileFields> {
        try await send(CommunityAPI.getOwnProfile)
    }

    /// Changes what the caller says about themselves, by a JSON merge patch.
    package func changeOwnProfile(
        _ change: APIObject<OwnProfileChangeFields>
    ) async throws -> APIObject<OwnProfileFields> {
        try await send(CommunityAPI.changeOwnProfile, body: change)
    }

    /// The caller's community activity.
    ///
    /// - Parameters:
    ///   - list: `news`, `followed` or `own`.
    ///   - limit: number of entries.
    package func ownActivities(_ list: String, limit: Int) async throws -> [APIObject<ActivityFields>] {
        try await items(CommunityAPI.listActivities, query: [("list", list)], limit: limit)
    }

    /// The members whom the caller blocks or mutes.
    ///
    /// - Parameters:
    ///   - kind: `block` or `mute`.
    ///   - limit: number of members.
    package func barriers(_ kind: String, limit: Int) async throws -> [APIObject<ListedMemberFields>] {
        try await items(kind == "block" ? CommunityAPI.listBlocks : CommunityAPI.listMutes, limit: limit)
    }

    /// Blocks or mutes a member, or ends it, and returns the profile.
    package func setBarrier(
        _ kind: String, _ isOn: Bool, _ name: String
    ) async throws -> APIObject<MemberProfileFields> {
        let block = isOn ? CommunityAPI.blockMember : CommunityAPI.unblockMember
        let mute = isOn ? CommunityAPI.muteMember : CommunityAPI.unmuteMember
        return try await send(kind == "block" ? block : mute, name)
    }

    /// Moderators' decisions about the caller.
    package func ownWarnings(limit: Int) async throws -> [APIObject<ModerationRecordFields>] {
        try await items(CommunityAPI.listWarnings, limit: limit)
    }

    /// Warns the owner of something that was reported.
    package func warn(_ kind: String, _ id: String, _ text: String) async throws {
        try await send(CommunityAPI.warnOwner, kind, id, body: OwnerWarningFields.request { [$0.text(text)] })
    }

    /// Suspends the account of the owner of something that was reported.
    ///
    /// - Parameters:
    ///   - kind: what was reported.
    ///   - id: its ID.
    ///   - seconds: the time after which the account can be used again; `nil` for a suspension without end.
    ///   - note: what the owner is told.
    package func suspendOwner(_ kind: String, _ id: String, for seconds: Int?, note: String?) async throws {
        let suspension = OwnerSuspensionFields.request { [$0.note(note), $0.suspendedFor(seconds)] }
        try await send(CommunityAPI.suspendOwner, kind, id, body: suspension)
    }
}
