import Codecs
import HLSPlaylist
import ISOBMFF
import MediaCore

/// A title's audio renditions as groups of EXT-X-MEDIA (rfc8216bis §4.4.6.1.1).
///
/// There is a group for each codec, and a variant for each group, so that a player without AC-3 still finds a variant
/// whose CODECS it supports. The groups have the same members, one for each language and name and for each further
/// track of these: a member that a codec lacks is taken from another codec. If no group results that every player
/// supports, one is added with codecs that all of them support, even if it lacks languages: Chromium plays nothing of a
/// group with AC-3 in it.
///
/// A ladder may have smaller encodings of the members: these are a further group, which only the variants name that are
/// meant for the slowest lines.
struct AudioGroups {
    /// An EXT-X-MEDIA group.
    struct Group {
        var id: String
        /// The renditions with their positions among the members.
        var renditions: [(position: Int, rendition: PackagedRendition)]

        var codecs: [String] { renditions.map(\.rendition.configuration.rfc6381).uniqued }
        fileprivate var names: [String] { renditions.map(\.rendition.name) }
    }

    /// The identity of a member, which is the same in all groups.
    private struct Member: Hashable {
        var language: LanguageTag?
        /// The author's name; `nil` if there is none.
        var title: String?
        var isCommentary: Bool
        var describesVideo: Bool
        /// The position among the tracks of the same codec that are alike in all of this.
        var ordinal = 0

        init(_ rendition: PackagedRendition) {
            language = rendition.language
            title = RenditionName.cleaned(rendition.userData.name)
            isCommentary = rendition.userData.isCommentary
            describesVideo = rendition.userData.describesVideo
        }

        func isLike(_ other: Member) -> Bool {
            var other = other
            other.ordinal = ordinal
            return self == other
        }

        /// The name for a member without a title.
        var languageName: String {
            let name = language?.name ?? "Audio"
            return isCommentary ? "\(name) (commentary)" : describesVideo ? "\(name) (audio description)" : name
        }

        /// The CHARACTERISTICS attribute.
        var characteristics: [String] {
            (isCommentary ? ["public.auxiliary-content"] : [])
                + (describesVideo ? ["public.accessibility.describes-video"] : [])
        }
    }

    private(set) var groups: [Group] = []
    /// The group of the ladder's encodings; `nil` if there are none.
    private(set) var ladderGroup: Group?
    /// The names of each member's renditions, in front the one that libav surely decodes.
    private(set) var members: [[String]] = []
    /// The display names of the members.
    private let displayNames: [String]
    private let identities: [Member]
    private let defaultPosition: Int

    /// - Parameters:
    ///   - audio: the title's own audio.
    ///   - ladderAudio: returns the ladder's encoding of one of them; `nil` if there is none.
    init(_ audio: [PackagedRendition], ladderAudio: (PackagedRendition) -> PackagedRendition? = { _ in nil }) {
        let codecs = audio.map(\.configuration.name).uniqued
        var tracks: [String: [Member: PackagedRendition]] = [:]
        var members: [Member] = []
        var memberOfTrack: [String: Member] = [:]
        for rendition in audio {
            let codec = rendition.configuration.name
            var member = Member(rendition)
            member.ordinal = tracks[codec, default: [:]].keys.count { $0.isLike(member) }
            tracks[codec, default: [:]][member] = rendition
            memberOfTrack[rendition.name] = member
            if !members.contains(member) { members.append(member) }
        }
        displayNames = Self.displayNames(of: members)
        identities = members
        let enabled = audio.filter(\.isEnabled)
        let preferred = enabled.first { !$0.userData.isCommentary } ?? enabled.first ?? audio.first
        defaultPosition = preferred.flatMap { memberOfTrack[$0.name] }.flatMap { members.firstIndex(of: $0) } ?? 0
        makeGroups(codecs, members, tracks)
        let renditions = members.map { member in codecs.compactMap { tracks[$0]?[member] } }
        self.members = renditions.map { renditions in
            (renditions.filter(Self.isKnownToAll) + renditions.filter { !Self.isKnownToAll($0) }).map(\.name)
        }
        let smaller = renditions.enumerated().compactMap { position, renditions in
            renditions.compactMap(ladderAudio).first.map { (position: position, rendition: $0) }
        }
        if !smaller.isEmpty {
            ladderGroup = Group(id: "\(PackagedTitle.audioGroupID)-low", renditions: smaller)
        }
    }

    /// Names the members: as the author does if there is a name, which for languages that share it follows the
    /// language's; otherwise by the language.
    private static func displayNames(of members: [Member]) -> [String] {
        let languages = Dictionary(grouping: members, by: \.title).mapValues { Set($0.map(\.language)) }
        var used: Set<String> = []
        return members.map { member in
            let isShared = (languages[member.title]?.count ?? 0) > 1
            let name = member.title.map { isShared ? "\(member.languageName), \($0)" : $0 } ?? member.languageName
            return RenditionName.distinct(name, used: &used)
        }
    }

    private mutating func makeGroups(
        _ codecs: [String], _ members: [Member], _ tracks: [String: [Member: PackagedRendition]]
    ) {
        func renditions(
            _ choose: (Member) -> PackagedRendition?
        ) -> [(position: Int, rendition: PackagedRendition)] {
            members.enumerated().compactMap { position, member in choose(member).map { (position, $0) } }
        }
        for codec in codecs {
            add(
                Group(
                    id: Self.groupID(codec),
                    renditions: renditions { member in
                        tracks[codec]?[member] ?? codecs.lazy.compactMap { tracks[$0]?[member] }.first
                    }))
        }
        if !groups.contains(where: { $0.renditions.allSatisfy { Self.isKnownToAll($0.rendition) } }) {
            let known = renditions { member in
                codecs.lazy.compactMap { tracks[$0]?[member] }.first(where: Self.isKnownToAll)
            }
            add(Group(id: "\(PackagedTitle.audioGroupID)-compatible", renditions: known))
        }
        if groups.count == 1 { groups[0].id = PackagedTitle.audioGroupID }
    }

    private mutating func add(_ group: Group) {
        guard !group.renditions.isEmpty, !groups.contains(where: { $0.names == group.names }) else { return }
        groups.append(group)
    }

    private static func isKnownToAll(_ rendition: PackagedRendition) -> Bool {
        if case .aac = rendition.configuration { true } else { false }
    }

    private static func groupID(_ codec: String) -> String {
        "\(PackagedTitle.audioGroupID)-\(codec.lowercased().filter { $0.isLetter || $0.isNumber })"
    }

    /// The EXT-X-MEDIA entries of all members of all groups.
    var media: [Rendition] {
        (groups + [ladderGroup].compactMap(\.self)).flatMap { group in
            let defaultPosition = defaultPosition(of: group)
            return group.renditions.map { position, rendition in
                let member = identities[position]
                return Rendition(
                    type: .audio, groupID: group.id, name: displayNames[position],
                    language: rendition.language?.text ?? "und", isDefault: position == defaultPosition,
                    // Nobody wants a commentary only for its language.
                    isAutoselect: position == defaultPosition || !member.isCommentary,
                    channels: rendition.configuration.audioChannelCount, uri: "\(rendition.name).m3u8",
                    characteristics: member.characteristics)
            }
        }
    }

    /// The rendition that a player without a preference plays.
    func defaultRendition(of group: Group) -> PackagedRendition? {
        let position = defaultPosition(of: group)
        return group.renditions.first { $0.position == position }?.rendition
    }

    private func defaultPosition(of group: Group) -> Int? {
        group.renditions.contains { $0.position == defaultPosition }
            ? defaultPosition : group.renditions.first?.position
    }
}

extension Sequence where Element: Hashable {
    /// The distinct elements, in the order of first appearance.
    var uniqued: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
