// Contact of vertices that are particles with a rigid shape, eight at a time: the equation of
// constraints/contact_particle.h with one particle of weight 1 on side b.
#pragma once

#include <span>

#include "constraints/contact_particle.h"

namespace pliant {

// How many lanes the next projection will move.
int count_acting(const ContactPair& pair, const VertexBatch& batch, const Particles& particles,
                 std::span<const RigidPush> pushes);
// Moves the particles of one batch; leaves the reaction on the rigid side in the batch.
void project_batch(const ContactPair& pair, VertexBatch& batch, Particles& particles,
                   std::span<const BodyMotion> rigid, std::span<const RigidPush> pushes);
void add_reactions(const ContactPair& pair, const VertexBatch& batch,
                   std::span<const BodyMotion> rigid, RigidPush& push);
// As restore_speed, for the loaded lanes in their order.
void restore_speeds(const ContactPair& pair, const VertexBatch& batch, Real threshold,
                    Particles& particles, std::span<BodyMotion> rigid);

}  // namespace pliant
