import Testing

@testable import Accounts

/// The whole matrix of roles, actions and things, against the table below.
struct PermissionsTests {
    private static let me = UserID()
    private static let somebody = UserID()

    /// The owner and the audience of a resource.
    private enum Situation: String, CaseIterable {
        case everyone, members, invited, own
    }

    /// The lowest role that may; `anonymous` for strangers. What is not listed, nobody may, but `administer`, which is
    /// the administrators' for all kinds.
    ///
    /// kind: action everyone/members/invited/own
    private static let expected = """
        site: read anonymous/viewer/operator/viewer
        channel: read anonymous/viewer/operator/viewer, publish broadcaster/broadcaster/broadcaster/broadcaster
        channel: record broadcaster/broadcaster/broadcaster/broadcaster, comment member/member/-/member
        channel: manage operator/operator/operator/operator
        title: read anonymous/viewer/moderator/viewer, rent member/member/-/member, comment member/member/-/member
        title: manage operator/operator/operator/member, moderate moderator/moderator/moderator/moderator
        title: upload -/-/-/member
        track: read anonymous/viewer/moderator/viewer, comment member/member/-/member
        track: manage operator/operator/operator/member, moderate moderator/moderator/moderator/moderator
        comment: read anonymous/viewer/moderator/viewer, comment member/member/-/member
        comment: manage operator/operator/operator/member, moderate moderator/moderator/moderator/moderator
        match: read anonymous/viewer/operator/viewer, comment member/member/-/member
        match: score operator/operator/operator/operator, manage operator/operator/operator/operator
        rental: read operator/operator/operator/viewer, manage operator/operator/operator/operator
        account: read administrator/administrator/administrator/viewer
        account: manage administrator/administrator/administrator/viewer
        account: moderate moderator/moderator/moderator/moderator
        library: upload broadcaster/broadcaster/broadcaster/broadcaster, read operator/operator/operator/operator
        library: manage operator/operator/operator/operator
        system: read operator/operator/operator/operator, manage operator/operator/operator/operator
        reports: read moderator/moderator/moderator/moderator, moderate moderator/moderator/moderator/moderator
        accounts: read administrator/administrator/administrator/administrator
        auditLog: read administrator/administrator/administrator/administrator
        """

    private struct Key: Hashable {
        var kind: String
        var action: String
        var situation: Situation
    }

    private static let lowest: [Key: String] = {
        var table: [Key: String] = [:]
        for line in expected.split(separator: "\n") {
            let parts = line.split(separator: ":").map { $0.trimmingPrefix(" ") }
            for entry in parts[1].split(separator: ",") {
                let words = entry.split(separator: " ")
                for (situation, role) in zip(Situation.allCases, words[1].split(separator: "/")) {
                    table[Key(kind: String(parts[0]), action: String(words[0]), situation: situation)] = String(role)
                }
            }
        }
        return table
    }()

    private static func resource(_ kind: Resource.Kind, _ situation: Situation) -> Resource {
        switch situation {
        case .everyone: Resource(kind, owner: somebody, audience: .everyone, channel: "canalA")
        case .members: Resource(kind, owner: somebody, audience: .members, channel: "canalA")
        case .invited: Resource(kind, owner: somebody, audience: .invited, channel: "canalA")
        case .own: Resource(kind, owner: me, audience: .invited, channel: "canalA")
        }
    }

    private func member(_ role: Role, _ grants: [String: ActionSet] = [:]) -> Member {
        Member(id: Self.me, username: "ana", role: role, channelGrants: grants)
    }

    @Test func everyRoleMayWhatTheTableSays() {
        let rules = Permissions(isOpenToStrangers: true)
        for kind in Resource.Kind.allCases {
            for action in Action.allCases {
                for situation in Situation.allCases {
                    let key = Key(kind: kind.rawValue, action: action.rawValue, situation: situation)
                    let lowest = action == .administer ? "administrator" : Self.lowest[key] ?? "-"
                    let resource = Self.resource(kind, situation)
                    let stranger = rules.may(.anonymous, action, resource)
                    #expect(stranger == (lowest == "anonymous" ? .allowed : .loginNeeded), "\(key)")
                    for role in Role.allCases {
                        let may = rules.may(.session(member(role), OpaqueID()), action, resource).isAllowed
                        let expected = lowest == "anonymous" || (Role(rawValue: lowest).map { role >= $0 } ?? false)
                        #expect(may == expected, "\(role) \(key)")
                    }
                    #expect(rules.may(.machine(.tokenFile), action, resource).isAllowed)
                }
            }
        }
        // A line with a mistyped word would go unnoticed.
        #expect(
            Self.lowest.keys.allSatisfy { key in
                Resource.Kind(rawValue: key.kind) != nil && Action(rawValue: key.action) != nil
            })
        #expect(Self.lowest.values.allSatisfy { $0 == "-" || $0 == "anonymous" || Role(rawValue: $0) != nil })
    }

    @Test func strangersMayNothingOnAClosedServer() {
        let rules = Permissions(isOpenToStrangers: false)
        for kind in Resource.Kind.allCases {
            for action in Action.allCases {
                #expect(rules.may(.anonymous, action, Self.resource(kind, .everyone)) == .loginNeeded)
            }
        }
        #expect(rules.may(.session(member(.viewer), OpaqueID()), .read, .channel("canalA")).isAllowed)
    }

    /// A token never may what its owner may not, and never what is not in its scope.
    @Test func tokensAreSubsetsOfTheirOwners() {
        let rules = Permissions(isOpenToStrangers: false)
        let scopes = [
            Scope.full, Scope(actions: []), Scope(actions: ActionSet([.read, .publish])),
            Scope(actions: .all, channels: ["canalA"]), Scope(actions: .all, channels: ["canalB"]),
            Scope(actions: .all, channels: []),
        ]
        for role in Role.allCases {
            for scope in scopes {
                for kind in Resource.Kind.allCases {
                    for action in Action.allCases {
                        for situation in Situation.allCases {
                            var resource = Self.resource(kind, situation)
                            if kind != .channel, kind != .match { resource.channel = nil }
                            let owner = rules.may(.session(member(role), OpaqueID()), action, resource).isAllowed
                            let isInScope =
                                scope.actions.contains(action)
                                && (scope.channels.map { $0.contains(resource.channel ?? "") } ?? true)
                            for principal in [
                                Principal.apiToken(member(role), OpaqueID(), scope),
                                .appPassword(member(role), OpaqueID(), scope),
                            ] {
                                let may = rules.may(principal, action, resource).isAllowed
                                #expect(may == (owner && isInScope), "\(role) \(scope) \(action) \(resource)")
                            }
                        }
                    }
                }
            }
        }
    }

    @Test func anArbitraryTokenMayAtLeastWhatStrangersMay() {
        let principal = Principal.apiToken(member(.member), OpaqueID(), Scope(actions: [], channels: []))
        let rules = Permissions(isOpenToStrangers: true)
        #expect(rules.may(principal, .read, .channel("canalA")).isAllowed)
        #expect(rules.may(principal, .read, .channel("canalA", .members)) == .forbidden)
    }

    @Test func grantsHoldForOneChannelAndItsMatches() throws {
        let grants: [String: ActionSet] = ["canalA": try ActionSet(parsing: "read,publish,score")]
        let principal = Principal.session(member(.viewer, grants), OpaqueID())
        let rules = Permissions(isOpenToStrangers: true)
        #expect(rules.may(principal, .publish, .channel("canalA")).isAllowed)
        #expect(rules.may(principal, .read, .channel("canalA", .invited)).isAllowed)
        #expect(rules.may(principal, .score, .match(channel: "canalA")).isAllowed)
        #expect(!rules.may(principal, .record, .channel("canalA")).isAllowed)
        #expect(!rules.may(principal, .publish, .channel("canalB")).isAllowed)
        #expect(!rules.may(principal, .score, .match(channel: "canalB")).isAllowed)
        // A token of the account has the grant if its scope names it.
        let token = Principal.apiToken(
            member(.viewer, grants), OpaqueID(), Scope(actions: try ActionSet(parsing: "publish")))
        #expect(rules.may(token, .publish, .channel("canalA")).isAllowed)
        #expect(!rules.may(token, .score, .match(channel: "canalA")).isAllowed)
    }
}
