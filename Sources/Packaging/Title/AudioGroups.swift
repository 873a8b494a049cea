import Codecs
import HLSPlaylist
import MediaCore

/// A title's audio renditions as groups of EXT-X-MEDIA (rfc8216bis §4.4.6.1.1).
///
/// There is a group for each codec, and a variant for each group, so that a player without AC-3 still finds a variant
/// whose CODECS it supports. The groups have the same members, one for each language and for each further track in it:
/// a member that a codec lacks is taken from another codec. If no group results that every player supports, one is
/// added with codecs that all of them support, even if it lacks languages: Chromium plays nothing of a group with AC-3
/// in it.
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
        var language: String
        /// The position among the tracks of the same codec and language, such as commentaries.
        var ordinal: Int
    }

    private(set) var groups: [Group] = []
    /// The group of the ladder's encodings; `nil` if there are none.
    private(set) var ladderGroup: Group?
    /// The names of each member's renditions, in front the one that libav surely decodes.
    private(set) var members: [[String]] = []
    private let names: [String]
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
            let language = rendition.language?.text ?? "und"
            let known = tracks[codec, default: [:]].keys.filter { $0.language == language }
            let member = Member(language: language, ordinal: known.count)
            tracks[codec, default: [:]][member] = rendition
            memberOfTrack[rendition.name] = member
            if !members.contains(member) { members.append(member) }
        }
        names = members.map { member in
            let rendition = audio.first { ($0.language?.text ?? "und") == member.language }
            let name = rendition?.language?.name ?? "Audio"
            return member.ordinal > 0 ? "\(name) \(member.ordinal + 1)" : name
        }
        let preferred = audio.first(where: \.isEnabled) ?? audio.first
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
                Rendition(
                    type: .audio, groupID: group.id, name: names[position],
                    language: rendition.language?.text ?? "und", isDefault: position == defaultPosition,
                    isAutoselect: true, channels: rendition.configuration.audioChannelCount,
                    uri: "\(rendition.name).m3u8")
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
