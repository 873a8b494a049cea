extension JSONText {
    /// The merge patch (RFC 7396) that makes another document out of this one. Members that the other one lacks are
    /// removed; arrays are replaced as a whole.
    package func mergePatch(to new: JSONText) -> JSONText {
        guard case .members(let before) = self, case .members(let after) = new else { return new }
        var patch: [Member] = []
        for member in before where !after.contains(where: { $0.name == member.name }) {
            patch.append(Member(name: member.name, value: .null))
        }
        for member in after {
            guard let present = before.first(where: { $0.name == member.name }) else {
                patch.append(member)
                continue
            }
            guard present.value != member.value else { continue }
            patch.append(Member(name: member.name, value: present.value.mergePatch(to: member.value)))
        }
        return .members(patch)
    }
}
