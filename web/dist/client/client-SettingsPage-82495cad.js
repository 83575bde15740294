import{a as e,n as t,r as n,t as r}from"./client-libraries-df66e8dc.js";import{C as i,D as a,I as o,K as s,S as c,U as l,q as u,t as d}from"./client-PageHead-9593d332.js";import{c as f,n as p,o as m,r as h,t as g,u as _}from"./client-c25e8e6c.js";import{t as v}from"./client-PersonRow-5e19df6c.js";var y=e();n();var b=(function(){var e=[{kind:`Literal`,name:`first`,value:100}],t={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},n={alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},r={args:null,kind:`FragmentSpread`,name:`PersonRow_user`},i={args:null,kind:`FragmentSpread`,name:`KeptAway_user`},a={alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},c={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},l={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},u={alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null},d={alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null};return{fragment:{argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`KeptAwayQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:e,concreteType:`UserConnection`,kind:`LinkedField`,name:`mutedUsers`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[t,n,r,i],storageKey:null}],storageKey:`mutedUsers(first:100)`},{alias:null,args:e,concreteType:`UserConnection`,kind:`LinkedField`,name:`hiddenFromUsers`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[t,a,r,i],storageKey:null}],storageKey:`hiddenFromUsers(first:100)`},{alias:null,args:e,concreteType:`UserConnection`,kind:`LinkedField`,name:`blockedUsers`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[t,o,r,i],storageKey:null}],storageKey:`blockedUsers(first:100)`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:[],kind:`Operation`,name:`KeptAwayQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:e,concreteType:`UserConnection`,kind:`LinkedField`,name:`mutedUsers`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[t,n,s,c,l,u,d,a,o],storageKey:null}],storageKey:`mutedUsers(first:100)`},{alias:null,args:e,concreteType:`UserConnection`,kind:`LinkedField`,name:`hiddenFromUsers`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[t,a,s,c,l,u,d,n,o],storageKey:null}],storageKey:`hiddenFromUsers(first:100)`},{alias:null,args:e,concreteType:`UserConnection`,kind:`LinkedField`,name:`blockedUsers`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[t,o,s,c,l,u,d,n,a],storageKey:null}],storageKey:`blockedUsers(first:100)`}],storageKey:null}]},params:{cacheID:`3d70e0537c24b6b6501a8d4c2d9f3744`,id:null,metadata:{},name:`KeptAwayQuery`,operationKind:`query`,text:`query KeptAwayQuery {
  viewer {
    mutedUsers(first: 100) {
      nodes {
        id
        viewerMutes
        ...PersonRow_user
        ...KeptAway_user
      }
    }
    hiddenFromUsers(first: 100) {
      nodes {
        id
        viewerHidesFrom
        ...PersonRow_user
        ...KeptAway_user
      }
    }
    blockedUsers(first: 100) {
      nodes {
        id
        viewerBlocks
        ...PersonRow_user
        ...KeptAway_user
      }
    }
  }
}

fragment FollowButton_user on User {
  handle
  viewerFollows
  ...useRelations_user
}

fragment KeptAway_user on User {
  ...useRelations_user
}

fragment PersonRow_user on User {
  databaseId
  handle
  name
  counters {
    followers
  }
  ...FollowButton_user
}

fragment useRelations_user on User {
  handle
  id
  viewerFollows
  viewerMutes
  viewerHidesFrom
  viewerBlocks
  counters {
    followers
  }
}
`}}})();b.hash=`6d5503d456e0131a183295f7068bac80`;var x={argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`KeptAway_user`,selections:[{args:null,kind:`FragmentSpread`,name:`useRelations_user`}],type:`User`,abstractKey:null};x.hash=`2024ee5a844666080202f0dbe0a0185a`;var S=t(),C=r(),w={mute:`Unmute`,hide:`Stop hiding`,block:`Unblock`},T={mute:`Muted`,hide:`Hidden from`,block:`Blocked`};function E({attempt:e}){let{viewer:t}=(0,S.useLazyLoadQuery)(b,{},{fetchKey:e,fetchPolicy:`store-and-network`});if(!t)return null;let n=[[`mute`,t.mutedUsers.nodes.filter(e=>e.viewerMutes)],[`hide`,t.hiddenFromUsers.nodes.filter(e=>e.viewerHidesFrom)],[`block`,t.blockedUsers.nodes.filter(e=>e.viewerBlocks)]];return(0,C.jsxs)(`section`,{className:`card`,"aria-labelledby":`away-title`,children:[(0,C.jsx)(`h2`,{id:`away-title`,children:`Kept away`}),n.every(([,e])=>!e.length)&&(0,C.jsx)(`p`,{className:`hint`,children:`You mute, hide from and block nobody.`}),n.map(([e,t])=>t.length>0&&(0,C.jsxs)(`div`,{children:[(0,C.jsx)(`h3`,{children:T[e]}),(0,C.jsx)(`ul`,{className:`people`,"aria-label":T[e],children:t.map(t=>(0,C.jsx)(v,{user:t,children:(0,C.jsx)(D,{relation:e,user:t})},t.id))})]},e))]})}function D({relation:e,user:t}){let n=(0,S.useFragment)(x,t),r=f(n).find(t=>t.relation===e);return(0,C.jsx)(`button`,{type:`button`,className:`button button-small`,"aria-label":r?.label,onClick:r?.run,children:w[e]})}var O=()=>document.getElementById(`client`)?.dataset.version??``;function k({attempt:e}){let{session:t}=i(),{account:n}=l();return(0,C.jsxs)(C.Fragment,{children:[(0,C.jsx)(d,{title:`Settings`}),(0,C.jsxs)(`div`,{className:`settings`,children:[t.user&&(0,C.jsx)(A,{handle:n?.handle??t.user.handle,id:t.user.id,admin:t.admin}),(0,C.jsx)(M,{}),t.user&&(0,C.jsx)(y.Suspense,{fallback:(0,C.jsx)(a,{label:`Loading who is kept away`,rows:2}),children:(0,C.jsx)(E,{attempt:e})}),(0,C.jsxs)(`section`,{className:`card`,"aria-labelledby":`keys-title`,children:[(0,C.jsx)(`h2`,{id:`keys-title`,children:`Keys`}),(0,C.jsx)(_,{})]}),(0,C.jsxs)(`section`,{className:`card`,"aria-labelledby":`server-title`,children:[(0,C.jsx)(`h2`,{id:`server-title`,children:`The server`}),(0,C.jsx)(m,{label:`Other pages of the server`}),(0,C.jsx)(`p`,{className:`hint`,children:(0,C.jsx)(`a`,{href:`/assets/LICENCES.txt`,children:`Licences of what this page is made of`})}),O()&&(0,C.jsxs)(`p`,{className:`hint`,children:[`Tideline `,O()]})]})]})]})}function A({handle:e,id:t,admin:n}){let{change:r}=i(),a=s(),l=async()=>{try{r(await c())}catch(e){a.show({tone:`bad`,title:`Still signed in`,text:o(e).title})}};return(0,C.jsxs)(`section`,{className:`card`,"aria-labelledby":`account-title`,children:[(0,C.jsx)(`h2`,{id:`account-title`,children:`Account`}),(0,C.jsxs)(`p`,{children:[`Signed in as `,(0,C.jsxs)(`strong`,{children:[`@`,e]}),` (user `,t,`)`,n&&`, an administrator`,`.`]}),(0,C.jsxs)(`button`,{type:`button`,className:`button`,onClick:()=>void l(),children:[(0,C.jsx)(u,{name:`out`}),` Sign out`]})]})}var j={system:`As the system`,light:`Light`,dark:`Dark`};function M(){let[e,t]=(0,y.useState)(h);return(0,C.jsxs)(`fieldset`,{className:`card look`,children:[(0,C.jsx)(`legend`,{children:`Look`}),g.map(n=>(0,C.jsxs)(`label`,{children:[(0,C.jsx)(`input`,{type:`radio`,name:`theme`,checked:e===n,onChange:()=>{t(n),p(n)}}),j[n]]},n))]})}export{k as default};