package import JSONDocument

/// A field of an object of the API: its name, its type and its meaning, declared once. From it follow the JSON that the
/// server writes, the description, and what clients read.
package struct Field<Value: APIValue>: DeclaredField {
    package let name: String
    package let meaning: String?
    package let traits: [SchemaTrait]

    /// A field whose name says all.
    ///
    /// - Parameters:
    ///   - name: the name in JSON.
    ///   - traits: what holds for its values beyond their type.
    package init(_ name: String, _ traits: SchemaTrait...) {
        (self.name, meaning, self.traits) = (name, nil, traits)
    }

    /// - Parameters:
    ///   - name: the name in JSON.
    ///   - meaning: the meaning.
    ///   - traits: what holds for its values beyond their type.
    package init(_ name: String, _ meaning: String, _ traits: SchemaTrait...) {
        (self.name, self.meaning, self.traits) = (name, meaning, traits)
    }

    /// A field of a request that sets a field of a resource, with the same name and meaning.
    package init(setting field: Field<some APIValue>, _ traits: SchemaTrait...) {
        (name, meaning, self.traits) = (field.name, field.meaning, traits)
    }

    /// The same, with a meaning of its own.
    package init(setting field: Field<some APIValue>, _ meaning: String, _ traits: SchemaTrait...) {
        (name, self.meaning, self.traits) = (field.name, meaning, traits)
    }

    /// The member of an object that has this value.
    package func callAsFunction(_ value: Value) -> JSONText.Field { (name, value.json) }

    /// The member of an object that has this value, which some other code has written.
    package func callAsFunction(json: JSONText) -> JSONText.Field { (name, json) }

    package func schema(_ components: inout SchemaComponents) -> JSONText {
        Value.schema(&components).with(traits).describing(meaning)
    }

    package var example: JSONText { SchemaTrait.example(in: traits, or: Value.example) }
}
