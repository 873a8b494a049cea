extension JSONText {
    /// The member with that name; `nil` if there is none or the value is not an object.
    package subscript(name: String) -> JSONText? {
        get {
            guard case .members(let members) = self else { return nil }
            return members.first { $0.name == name }?.value
        }
        set {
            guard case .members(var members) = self else { return }
            let index = members.firstIndex { $0.name == name }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(name: name, value: value))
            case (nil, nil): break
            }
            self = .members(members)
        }
    }

    /// This value after a merge patch (RFC 7396): members that are `null` are removed, objects are merged, everything
    /// else is replaced. What stays keeps its place.
    package func merged(with patch: JSONText) -> JSONText {
        guard case .members(let changes) = patch else { return patch }
        var result = self
        if case .members = self {} else { result = .members([]) }
        for change in changes {
            if change.value == .null {
                result[change.name] = nil
            } else {
                result[change.name] = (result[change.name] ?? .null).merged(with: change.value)
            }
        }
        return result
    }
}
