import{a as e,n as t,r as n,t as r}from"./client-libraries-df66e8dc.js";import{C as i,D as a,I as o,K as s,S as c,q as l,t as u}from"./client-PageHead-f4e58be9.js";import{a as d,l as f,n as p,r as m,s as h,t as g}from"./client-f372012c.js";import{t as _}from"./client-PersonRow-21a5d8b3.js";var v=e();n();var y=(function(){var e=[{kind:`Literal`,name:`first`,value:100}],t={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},n={alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},r={args:null,kind:`FragmentSpread`,name:`PersonRow_user`},i={args:null,kind:`FragmentSpread`,name:`KeptAway_user`},a={alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},c={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},l={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},u={alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null},d={alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null};return{fragment:{argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`KeptAwayQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:e,concreteType:`UserConnection`,kind:`LinkedField`,name:`mutedUsers`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[t,n,r,i],storageKey:null}],storageKey:`mutedUsers(first:100)`},{alias:null,args:e,concreteType:`UserConnection`,kind:`LinkedField`,name:`hiddenFromUsers`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[t,a,r,i],storageKey:null}],storageKey:`hiddenFromUsers(first:100)`},{alias:null,args:e,concreteType:`UserConnection`,kind:`LinkedField`,name:`blockedUsers`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[t,o,r,i],storageKey:null}],storageKey:`blockedUsers(first:100)`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:[],kind:`Operation`,name:`KeptAwayQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:e,concreteType:`UserConnection`,kind:`LinkedField`,name:`mutedUsers`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[t,n,s,c,l,u,d,a,o],storageKey:null}],storageKey:`mutedUsers(first:100)`},{alias:null,args:e,concreteType:`UserConnection`,kind:`LinkedField`,name:`hiddenFromUsers`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[t,a,s,c,l,u,d,n,o],storageKey:null}],storageKey:`hiddenFromUsers(first:100)`},{alias:null,args:e,concreteType:`UserConnection`,kind:`LinkedField`,name:`blockedUsers`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[t,o,s,c,l,u,d,n,a],storageKey:null}],storageKey:`blockedUsers(first:100)`}],storageKey:null}]},params:{cacheID:`3d70e0537c24b6b6501a8d4c2d9f3744`,id:null,metadata:{},name:`KeptAwayQuery`,operationKind:`query`,text:`query KeptAwayQuery {
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
`}}})();y.hash=`6d5503d456e0131a183295f7068bac80`;var b={argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`KeptAway_user`,selections:[{args:null,kind:`FragmentSpread`,name:`useRelations_user`}],type:`User`,abstractKey:null};b.hash=`2024ee5a844666080202f0dbe0a0185a`;var x=t(),S=r(),C={mute:`Unmute`,hide:`Stop hiding`,block:`Unblock`},w={mute:`Muted`,hide:`Hidden from`,block:`Blocked`};function T({attempt:e}){let{viewer:t}=(0,x.useLazyLoadQuery)(y,{},{fetchKey:e,fetchPolicy:`store-and-network`});if(!t)return null;let n=[[`mute`,t.mutedUsers.nodes.filter(e=>e.viewerMutes)],[`hide`,t.hiddenFromUsers.nodes.filter(e=>e.viewerHidesFrom)],[`block`,t.blockedUsers.nodes.filter(e=>e.viewerBlocks)]];return(0,S.jsxs)(`section`,{className:`card`,"aria-labelledby":`away-title`,children:[(0,S.jsx)(`h2`,{id:`away-title`,children:`Kept away`}),n.every(([,e])=>!e.length)&&(0,S.jsx)(`p`,{className:`hint`,children:`You mute, hide from and block nobody.`}),n.map(([e,t])=>t.length>0&&(0,S.jsxs)(`div`,{children:[(0,S.jsx)(`h3`,{children:w[e]}),(0,S.jsx)(`ul`,{className:`people`,"aria-label":w[e],children:t.map(t=>(0,S.jsx)(_,{user:t,children:(0,S.jsx)(E,{relation:e,user:t})},t.id))})]},e))]})}function E({relation:e,user:t}){let n=(0,x.useFragment)(b,t),r=h(n).find(t=>t.relation===e);return(0,S.jsx)(`button`,{type:`button`,className:`button button-small`,"aria-label":r?.label,onClick:r?.run,children:C[e]})}var D=()=>document.getElementById(`client`)?.dataset.version??``;function O({attempt:e}){let{session:t}=i();return(0,S.jsxs)(S.Fragment,{children:[(0,S.jsx)(u,{title:`Settings`}),(0,S.jsxs)(`div`,{className:`settings`,children:[t.user&&(0,S.jsx)(k,{handle:t.user.handle,id:t.user.id,admin:t.admin}),(0,S.jsx)(j,{}),t.user&&(0,S.jsx)(v.Suspense,{fallback:(0,S.jsx)(a,{label:`Loading who is kept away`,rows:2}),children:(0,S.jsx)(T,{attempt:e})}),(0,S.jsxs)(`section`,{className:`card`,"aria-labelledby":`keys-title`,children:[(0,S.jsx)(`h2`,{id:`keys-title`,children:`Keys`}),(0,S.jsx)(f,{})]}),(0,S.jsxs)(`section`,{className:`card`,"aria-labelledby":`server-title`,children:[(0,S.jsx)(`h2`,{id:`server-title`,children:`The server`}),(0,S.jsx)(d,{label:`Other pages of the server`}),(0,S.jsx)(`p`,{className:`hint`,children:(0,S.jsx)(`a`,{href:`/assets/LICENCES.txt`,children:`Licences of what this page is made of`})}),D()&&(0,S.jsxs)(`p`,{className:`hint`,children:[`Tideline `,D()]})]})]})]})}function k({handle:e,id:t,admin:n}){let{change:r}=i(),a=s(),u=async()=>{try{r(await c())}catch(e){a.show({tone:`bad`,title:`Still signed in`,text:o(e).title})}};return(0,S.jsxs)(`section`,{className:`card`,"aria-labelledby":`account-title`,children:[(0,S.jsx)(`h2`,{id:`account-title`,children:`Account`}),(0,S.jsxs)(`p`,{children:[`Signed in as `,(0,S.jsxs)(`strong`,{children:[`@`,e]}),` (user `,t,`)`,n&&`, an administrator`,`.`]}),(0,S.jsxs)(`button`,{type:`button`,className:`button`,onClick:()=>void u(),children:[(0,S.jsx)(l,{name:`out`}),` Sign out`]})]})}var A={system:`As the system`,light:`Light`,dark:`Dark`};function j(){let[e,t]=(0,v.useState)(m);return(0,S.jsxs)(`fieldset`,{className:`card look`,children:[(0,S.jsx)(`legend`,{children:`Look`}),g.map(n=>(0,S.jsxs)(`label`,{children:[(0,S.jsx)(`input`,{type:`radio`,name:`theme`,checked:e===n,onChange:()=>{t(n),p(n)}}),A[n]]},n))]})}export{O as default};